// What a content script sees.
scenario("content script", async () => {
  listenTo(root, api, []);
  await api.runtime.sendMessage("from a content script");
  await api.runtime.connect({ name: "content script" });
  await api.runtime.getFrameId(globalThis);
  await api.storage.local.set({ content: 1 });
  await api.extension.isAllowedIncognitoAccess();
  await pause(1500);
});
runScenarios("content script");
