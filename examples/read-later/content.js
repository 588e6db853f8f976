addEventListener("keydown", async (event) => {
  if (event.altKey && event.key === "l") {
    const [tab] = await chrome.tabs.query({ active: true });
    chrome.runtime.sendMesage({ url: tab.url });
  }
});
