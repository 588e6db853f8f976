scenario("scripting", async () => {
  const tab = await opened("/frames.html");
  const target = { tabId: tab.id };
  await api.scripting.executeScript({ target: { ...target, allFrames: true }, func: () => "judge" });
  await api.scripting.executeScript({ target, func: () => Promise.reject(new Error("judge")) });
  await api.scripting.executeScript({ target, func: () => ({}), world: "MAIN" });
  await api.scripting.insertCSS({ target, css: "p { color: red }" });
  await api.scripting.removeCSS({ target, css: "p { color: red }" });
  const script = { id: "judge", js: ["none.js"], matches: ["http://127.0.0.1/*"], runAt: "document_end" };
  await api.scripting.registerContentScripts([script]);
  await api.scripting.registerContentScripts([
    {
      ...script,
      id: "other",
      allFrames: true,
      css: ["none.css"],
      excludeMatches: ["http://127.0.0.1/none/*"],
      matchOriginAsFallback: true,
      world: "MAIN",
    },
  ]);
  await api.scripting.getRegisteredContentScripts();
  await api.scripting.updateContentScripts([{ id: "judge", allFrames: true }]);
  await api.scripting.unregisterContentScripts();
  await api.tabs.executeScript(tab.id, { code: "'judge'", allFrames: true });
  await api.tabs.insertCSS(tab.id, { code: "p { color: red }" });
  await api.tabs.removeCSS(tab.id, { code: "p { color: red }" });
  await api.contentScripts.register({ js: [{ code: "0" }], matches: ["http://127.0.0.1/*"] });
  await api.tabs.remove(tab.id);
});

scenario("user scripts", async () => {
  const js = [{ code: "typeof browser === 'object' && browser.runtime?.sendMessage('user')" }, { file: "none.js" }];
  const script = { id: "judge", js, matches: ["http://127.0.0.1/*"] };
  if (root.userScripts?.getScripts) {
    await api.userScripts.configureWorld({ messaging: true, csp: "script-src 'self'" });
    await api.userScripts.configureWorld({ worldId: "other", messaging: true });
    await api.userScripts.getWorldConfigurations();
    await api.userScripts.register([{ ...script, allFrames: true, runAt: "document_end", world: "USER_SCRIPT" }]);
    await api.userScripts.update([{ id: "judge", excludeMatches: ["http://127.0.0.1/none/*"] }]);
    await api.userScripts.getScripts();
    const tab = await opened("/page.html");
    await api.userScripts.execute({ target: { tabId: tab.id }, js: [{ code: "1" }] });
    await api.userScripts.unregister();
    await api.userScripts.resetWorldConfiguration("other");
  } else {
    const { id: _, ...older } = script;
    await api.userScripts.register({ ...older, js: [{ code: "0" }], scriptMetadata: { name: "judge" } });
  }
});

scenario("rules", async () => {
  const rules = api.declarativeNetRequest;
  const queryTransform = { removeParams: ["a"], addOrReplaceParams: [{ key: "b", value: "1" }] };
  const rule = {
    id: 1,
    priority: 2,
    action: { type: "redirect", redirect: { transform: { queryTransform } } },
    condition: { urlFilter: "||127.0.0.1/*a=", resourceTypes: ["main_frame", "xmlhttprequest"] },
  };
  const set = { header: "x-judge", operation: "set", value: "1" };
  const headers = {
    id: 2,
    action: { type: "modifyHeaders", requestHeaders: [set], responseHeaders: [set] },
    condition: { requestDomains: ["127.0.0.1"], initiatorDomains: ["127.0.0.1"], domainType: "firstParty" },
  };
  await rules.updateDynamicRules({ addRules: [rule, headers] });
  await rules.updateSessionRules({ addRules: [{ ...rule, id: 3 }, { ...headers, id: 4 }] });
  await rules.getDynamicRules();
  await rules.getSessionRules();
  await rules.getEnabledRulesets();
  await rules.getDisabledRuleIds({ rulesetId: "judge" });
  await rules.getAvailableStaticRuleCount();
  await rules.isRegexSupported({ regex: "(?=a)" });
  await rules.isRegexSupported({ regex: "a" });
  await rules.testMatchOutcome({ url: server("/page.html?a=1"), type: "main_frame" });
  await request("/page.html?a=1");
  const tab = await opened("/page.html?a=1");
  await rules.getMatchedRules({});
  await rules.setExtensionActionOptions({ displayActionCountAsBadgeText: true });
  await rules.updateDynamicRules({ removeRuleIds: [1, 2] });
  await rules.updateSessionRules({ removeRuleIds: [3, 4] });
  await api.tabs.remove(tab.id);
});
