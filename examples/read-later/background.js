chrome.action.onClicked.addListener(async (tab) => {
  await chrome.storage.local.set({ [tab.url]: tab.title });
  await chrome.tabs.create({ uri: chrome.runtime.getURL("list.html") });
});
