// An extension with some mistakes, to try the service.

export const EXAMPLE = {
  "manifest.json": `{
  "manifest_version": 3,
  "name": "Read later",
  "version": "1.0",
  "permissions": ["storage", "tabs", "bookmarks"],
  "host_permissions": ["https://*/*"],
  "background": { "service_worker": "background.js", "scripts": ["background.js"] },
  "browser_specific_settings": { "gecko": { "id": "read-later@example.com", "strict_min_version": "128.0" } }
}
`,
  "background.js": `chrome.runtime.onMessage.addListener((message) => {
  if (message.kind === "save") {
    chrome.storage.local.set({ [message.url]: Date.now() });
    chrome.tabs.sendMesage(message.tab, { saved: true });
  }
});

chrome.alarms.create("remind", { periodInMinutes: 60 });
document.title = "ready";
`,
};
