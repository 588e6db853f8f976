scenario("settings", async () => {
  for (const setting of settings(root, api)) {
    await setting.get({});
    await setting.get({ primaryUrl: server("/page.html") });
    await setting.getResourceIdentifiers();
    const { value } = (await setting.get({})) ?? {};
    await setting.set(value === true || value === false ? { value: !value } : { value });
    await setting.clear({});
  }
  await api.fontSettings.getFontList();
  await api.fontSettings.getFont({ genericFamily: "standard" });
  await api.fontSettings.setFont({ genericFamily: "standard", fontId: "" });
  await api.fontSettings.clearFont({ genericFamily: "standard" });
  for (const name of ["DefaultFontSize", "DefaultFixedFontSize", "MinimumFontSize"]) {
    await api.fontSettings[`get${name}`]({});
    await api.fontSettings[`set${name}`]({ pixelSize: 17 });
    await api.fontSettings[`clear${name}`]({});
  }
});

scenario("system", async () => {
  await api.system.cpu.getInfo();
  await api.system.memory.getInfo();
  await api.system.display.getInfo({});
  await api.system.display.getDisplayLayout();
  await api.system.storage.getInfo();
  await api.power.requestKeepAwake("display");
  await api.power.releaseKeepAwake();
  await api.tts.getVoices();
  await api.tts.isSpeaking();
  await api.tts.speak("judge");
  await api.tts.stop();
  await api.captivePortal.getState();
  await api.captivePortal.getLastChecked();
  await api.networkStatus.getLinkInfo();
  await api.pkcs11.isModuleInstalled("judge");
  await api.instanceID.getID();
  await api.instanceID.getCreationTime();
  await api.gcm.register(["1"]);
  await api.desktopCapture.chooseDesktopMedia(["screen"]);
  await api.tabCapture.getCapturedTabs();
  await api.printing.getPrinters();
  await api.processes.getProcessInfo([], true);
  await api.dom.openOrClosedShadowRoot(null);
  await api.publicSuffix.isKnownSuffix("com");
  await api.publicSuffix.getDomain("www.example.com");
  await api.clipboard.setImageData(new ArrayBuffer(1), "png");
});

scenario("debugger", async () => {
  const tab = await opened();
  await api.debugger.getTargets();
  await api.debugger.attach({ tabId: tab.id }, "1.3");
  await api.debugger.sendCommand({ tabId: tab.id }, "Page.enable");
  await api.tabs.reload(tab.id);
  await until("debugger.onEvent");
  await api.debugger.detach({ tabId: tab.id });
  await api.tabs.remove(tab.id);
});
