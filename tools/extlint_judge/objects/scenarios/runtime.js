scenario("runtime", async () => {
  await api.runtime.getPlatformInfo();
  await api.runtime.getBrowserInfo();
  await api.runtime.getContexts({});
  await api.runtime.getManifest();
  await api.runtime.getVersion();
  await api.runtime.getURL("page.html");
  await api.runtime.getFrameId(globalThis);
  await api.runtime.getBackgroundPage();
  await api.runtime.getPackageDirectoryEntry();
  await api.runtime.setUninstallURL(server("/page.html"));
  await api.runtime.requestUpdateCheck();
  await api.runtime.sendNativeMessage("judge", {});
  await api.runtime.connectNative("judge");
  await api.extension.isAllowedIncognitoAccess();
  await api.extension.isAllowedFileSchemeAccess();
  await api.extension.getViews({});
  await api.extension.getBackgroundPage();
  await api.extension.getURL("page.html");
  await api.i18n.getAcceptLanguages();
  await api.i18n.getUILanguage();
  await api.i18n.getPreferredSystemLanguages();
  await api.i18n.detectLanguage("This is a sentence in the English language, which is long enough.");
  await api.idle.queryState(15);
  await api.idle.getAutoLockDelay();
  await api.commands.getAll();
  await api.commands.update({ name: "judge", shortcut: "Ctrl+Shift+U" });
  await api.commands.reset("judge");
  await ask("command", "commands.onCommand");
  await api.omnibox.setDefaultSuggestion({ description: "judge" });
  await ask("omnibox", "omnibox.onInputChanged");
  await api.permissions.getAll();
  await api.permissions.contains({ permissions: ["tabs"] });
  await api.permissions.remove({ permissions: ["idle"] });
  await api.permissions.request({ permissions: ["idle"] });
  await api.permissions.remove({ origins: ["https://example.com/*"] });
});

scenario("identity", async () => {
  const url = await api.identity.getRedirectURL("done");
  await api.identity.getProfileUserInfo({ accountStatus: "ANY" });
  await api.identity.getAccounts();
  await api.identity.getAuthToken({ interactive: false });
  await api.identity.launchWebAuthFlow({ url: server(`/redirect?to=${url}`), interactive: false });
});

scenario("management", async () => {
  await api.management.getSelf();
  await api.management.getAll();
  const all = (await root.management?.getAll()) ?? [];
  for (const { id } of all.slice(0, 2)) {
    await api.management.get(id);
    await api.management.getPermissionWarningsById(id);
  }
  await api.management.getPermissionWarningsByManifest('{"name": "a", "version": "1", "manifest_version": 3}');
  await ask("install another", "management.onInstalled");
  await pause(500);
  const other = ((await root.management?.getAll()) ?? []).find((each) => each.name === "judge theme");
  if (other) {
    await api.management.setEnabled(other.id, !other.enabled);
    await api.management.setEnabled(other.id, other.enabled);
  }
  await ask("remove another", "management.onUninstalled");
});

scenario("messages", async () => {
  const tab = await opened("/content.html");
  await until("runtime.onMessage");
  await api.tabs.sendMessage(tab.id, { text: "hello" });
  await api.tabs.sendMessage(tab.id, { text: "hello" }, { frameId: 0 });
  await api.tabs.connect(tab.id, { name: "judge" });
  await ask("open", "runtime.onConnect", { page: "page.html" });
  await pause(1500);
  await api.runtime.getContexts({});
  await api.extension.getViews({});
  await api.runtime.sendMessage("hello");
  await api.offscreen.createDocument({ url: "offscreen.html", reasons: ["DOM_PARSER"], justification: "judge" });
  await api.offscreen.hasDocument();
  await api.runtime.getContexts({});
  await api.offscreen.closeDocument();
  await api.tabs.remove(tab.id);
});

scenario("developer tools", async () => {
  await ask("developer tools", "");
  await pause(3000);
});
