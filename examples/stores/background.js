chrome.runtime.onInstalled.addListener(() => {
  chrome.storage.sync.set({ color: "blue" });
});

chrome.alarms.onAlarm.addListener(() => {
  console.log("time is up");
});
