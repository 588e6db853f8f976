chrome.action.setBadgeText({ text: "1" });

async function read(tabId) {
  await chrome.tabs.executeScript(tabId, { code: "document.title" });
  await chrome.sidePanel.open({ tabId });
}

chrome.runtime.onMessage.addListener((message) => read(message.tabId));
