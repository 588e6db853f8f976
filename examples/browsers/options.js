const tabs = chrome.tabs.query({});
chrome.extension.getBackgroundPage().show(tabs.length);
chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  setTimeout(() => sendResponse("later"), 100);
});
