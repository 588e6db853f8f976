scenario("tabs", async () => {
  const tab = await opened("/page.html", { active: true });
  const other = await opened("/frame.html", { active: false, openerTabId: tab.id });
  await api.tabs.query({});
  await api.tabs.query({ active: true, currentWindow: true });
  await api.tabs.getCurrent();
  await api.tabs.getSelected();
  await api.tabs.getAllInWindow();
  await api.tabs.update(other.id, { pinned: true, muted: true });
  await api.tabs.update(other.id, { pinned: false });
  await api.tabs.highlight({ tabs: [0, 1] });
  await api.tabs.highlight({ tabs: [1], populate: true });
  await api.tabs.move(other.id, { index: 0 });
  await api.tabs.move([other.id], { index: -1 });
  const copy = await api.tabs.duplicate(tab.id);
  await api.tabs.hide(other.id);
  await api.tabs.query({ hidden: true });
  await api.tabs.show(other.id);
  await api.tabs.warmup(other.id);
  await api.tabs.moveInSuccession([other.id], tab.id);
  const group = await api.tabs.group({ tabIds: [tab.id, other.id] });
  if (group !== undefined) {
    await api.tabGroups.update(group, { title: "judge", color: "blue", collapsed: true });
    await api.tabGroups.get(group);
    await api.tabGroups.query({});
    await api.tabGroups.move(group, { index: -1 });
    await api.tabs.query({ groupId: group });
    await api.tabs.ungroup([tab.id, other.id]);
  }
  await api.tabs.setZoom(tab.id, 1.5);
  await api.tabs.getZoom(tab.id);
  await api.tabs.getZoomSettings(tab.id);
  await api.tabs.setZoomSettings(tab.id, { mode: "automatic" });
  await api.tabs.setZoom(tab.id, 0);
  await api.tabs.reload(tab.id);
  await pause(300);
  await api.tabs.detectLanguage(tab.id);
  await api.tabs.update(tab.id, { active: true });
  await api.tabs.captureVisibleTab();
  await api.tabs.captureTab(tab.id);
  await api.tabs.discard(other.id);
  await api.tabs.get(other.id);
  await api.tabs.toggleReaderMode(tab.id);
  await api.find.find("page", { tabId: tab.id, includeRangeData: true, includeRectData: true });
  await api.find.highlightResults();
  await api.find.removeHighlighting();
  await api.pageCapture.saveAsMHTML({ tabId: tab.id });
  await api.tabs.remove([other.id, copy?.id ?? tab.id]);
  await api.tabs.remove(tab.id);
});

scenario("windows", async () => {
  const first = await api.windows.getCurrent({ populate: true });
  const made = await api.windows.create({ url: server("/page.html"), focused: true });
  const popup = await api.windows.create({ url: server("/page.html"), type: "popup", width: 300, height: 300 });
  await api.windows.create({ incognito: true });
  await api.windows.get(made.id, { populate: true });
  await api.windows.getAll({ populate: true });
  await api.windows.getLastFocused({ populate: true });
  await api.windows.update(made.id, { state: "minimized" });
  await api.windows.update(made.id, { state: "normal", focused: true, drawAttention: true, left: 10 });
  const tab = await opened("/page.html");
  await api.tabs.move(tab.id, { windowId: made.id, index: 0 });
  await api.windows.create({ tabId: tab.id });
  await api.sessions.setTabValue(tab.id, "key", "value");
  await api.sessions.getTabValue(tab.id, "key");
  await api.sessions.setWindowValue(first.id, "key", "value");
  await api.sessions.getWindowValue(first.id, "key");
  const gone = await opened("/frames.html");
  await api.tabs.remove(gone.id);
  await api.windows.remove(popup.id);
  await api.windows.remove(made.id);
  await pause(500);
  await api.sessions.getRecentlyClosed();
  await api.sessions.getDevices();
  await api.sessions.restore();
  const closed = (await root.sessions?.getRecentlyClosed()) ?? [];
  for (const { tab: one, window: all } of closed.slice(0, 2)) {
    await api.sessions.restore((one ?? all).sessionId);
  }
  if (closed[2]?.tab) await api.sessions.forgetClosedTab(first.id, closed[2].tab.sessionId);
});

scenario("buttons", async () => {
  for (const button of ["action", "browserAction", "pageAction", "sidebarAction"]) {
    if (!root[button]) continue;
    const it = api[button];
    const tab = await opened();
    await it.show(tab.id);
    for (const name of ["BadgeText", "Title", "Popup", "BadgeBackgroundColor", "BadgeTextColor", "Panel"]) {
      await it[`get${name}`]({});
      await it[`get${name}`]({ tabId: tab.id });
    }
    await it.getUserSettings();
    await it.isEnabled({});
    await it.isEnabled();
    await it.isShown({ tabId: tab.id });
    await it.isOpen({});
    await ask(`click ${button}`, `${button}.onClicked`);
    await ask(`pin ${button}`, `${button}.onUserSettingsChanged`);
    await api.tabs.remove(tab.id);
  }
  await api.theme.update({ colors: { frame: "red", tab_background_text: [1, 2, 3] }, images: {} });
  await api.theme.getCurrent();
  await api.theme.reset();
  await api.sidePanel.getOptions({});
  await api.sidePanel.setOptions({ path: "page.html", enabled: true });
  await api.sidePanel.getOptions({});
  await api.sidePanel.getPanelBehavior();
  await api.sidePanel.getLayout();
});

scenario("menus", async () => {
  const name = IN_FIREFOX ? "menus" : "contextMenus";
  await api[name].removeAll();
  for (const context of ["page", "link", "image", "selection", "editable", "frame", "bookmark", "tab"]) {
    await api[name].create({ id: `judge-${context}`, title: `judge ${context}`, contexts: [context] });
  }
  await api[name].create({ id: "judge-box", type: "checkbox", title: "judge box", contexts: ["page", "link"] });
  await api[name].update("judge-page", { title: "judge once more" });
  const tab = await opened("/menu.html", { active: true });
  const targets = ["link", "image", "selection", "editable", "frame", "page", "box", "tab", "bookmark"];
  for (const target of IN_FIREFOX ? targets : []) {
    await ask("context menu", `${name}.onClicked`, { target, click: `judge-${target}` });
    await pause(300);
  }
  await api[name].refresh();
  await api.tabs.remove(tab.id);
  await api[name].removeAll();
});
