// What a page of the developer tools sees.
scenario("developer tools", async () => {
  listenTo(root, api, []);
  await api.devtools.inspectedWindow.eval("({judge: 1})");
  await api.devtools.inspectedWindow.eval("null.judge");
  await api.devtools.inspectedWindow.getResources();
  await api.devtools.panels.create("judge", "", "page.html");
  await api.devtools.panels.elements.createSidebarPane("judge");
  await api.devtools.inspectedWindow.reload({});
  await pause(1500);
  await api.devtools.network.getHAR();
});
runScenarios("developer tools");
