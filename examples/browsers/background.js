chrome.action.setBadgeText({ text: "1" });

async function read(tabId) {
  await chrome.tabs.executeScript(tabId, { code: "document.title" });
  await chrome.sidePanel.open({ tabId });
}

async function enlarge(tabId) {
  await chrome.scripting.insertCSS({ target: { tabId }, css: "body { zoom: 2 }" });
  await chrome.permissions.request({ permissions: ["history"] });
}

chrome.runtime.onMessage.addListener((message) => read(message.tabId));
chrome.runtime.onMessageExternal.addListener((message) => enlarge(message.tabId));
chrome.runtime.onBrowserUpdateAvailable.addListener(() => chrome.runtime.reload());
chrome.scripting.registerContentScripts([{ id: "badge", matches: ["https://example.com/*"], js: ["content.js"] }]);
chrome.contextMenus.create({ id: "read", title: "Read aloud", contexts: ["selection"] });
chrome.runtime.onStartup.addListener(() => sessionStorage.clear());
chrome.runtime.onStartup.addListener(() => import("./options.js"));
chrome.runtime.onUpdateAvailable.addListener(() => chrome.runtime.sendMessage("update"));
chrome.runtime.getPlatformInfo((info) => console.log(info.os)).then(read);
const theme = "dark";
chrome.runtime.onUpdateAvailable.addListener(({ version }) => {
  const target = { tabId: Number(version) };
  chrome.scripting.executeScript({ target, func: () => document.body.classList.add(theme) });
});
chrome.alarms.create({ periodInMinutes: 0.1 });
setInterval(() => chrome.action.setBadgeText({ text: "" }), 60000);
chrome.storage.local.get((items) => {
  chrome.contextMenus.onClicked.addListener((info) => console.log(items, info));
});
chrome.alarms.create("daily", { periodInMinutes: 1440 });
const { clear } = chrome.storage.local;
clear();
chrome.runtime.onStartup.addListener(() => readAloud("welcome"));
chrome.tabs.onCreated.addListener(() => chrome.windows.onRemoved.addListener(() => console.log("closed")));
chrome.tabs.onActivated.addListener(({ tabId }) => chrome.tabs.sendMessage(tabId, "shown"));
