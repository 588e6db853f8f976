// What a page of the extension sees.
scenario("page", async () => {
  listenTo(root, api, []);
  await api.tabs.getCurrent();
  await api.windows.getCurrent();
  await api.runtime.getBackgroundPage();
  await api.runtime.connect({ name: "page" });
  await api.runtime.sendMessage("from a page");
  await api.runtime.getFrameId(globalThis);
  await api.extension.getViews({});
  await api.devtools.inspectedWindow.eval("0");
  await pause(1000);
});
runScenarios("page");
