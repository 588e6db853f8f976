chrome.storage.local.get("visits").then(({ visits }) => {
  chrome.storage.local.set({ visits: (visits ?? 0) + 1 });
});
