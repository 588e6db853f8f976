const tabs = chrome.tabs.query({});
chrome.extension.getBackgroundPage().show(tabs.length);
chrome.runtime.onMessageExternal.addListener((message, sender, sendResponse) => {
  setTimeout(() => sendResponse("later"), 100);
});
setTimeout("location.reload()", 1000);
fetch("http://192.168.1.20/tabs");
chrome.storage.local.onChanged.addListener((changes) => console.log(changes.voice.newValue.name));
chrome.storage.sync.get("last_voice").then(console.log);
chrome.storage.local.remove("voice");
console.log(localStorage.getItem("voice"));
WebAssembly.compile(new Uint8Array(8));
