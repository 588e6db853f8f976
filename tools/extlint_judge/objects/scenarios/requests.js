scenario("requests", async () => {
  await request("/page.html");
  await request("/redirect?to=/page.html");
  await request("/auth");
  await request("/auth?user");
  await request("/broken");
  await request("http://127.0.0.1:9/");
  for (let times = 0; times < 2; times++) await request("/kept");
  await request("/post", { method: "POST", body: new URLSearchParams({ name: "value" }) });
  const form = new FormData();
  form.append("file", new Blob(["text"]), "file.txt");
  await request("/post", { method: "POST", body: form });
  await request("/post", { method: "POST", body: new Uint8Array([1, 2]) });
  await request("http://proxied.invalid/page.html");
  await request("http://wrong.invalid/page.html");
  if (SETTING.secure) await request(`${SETTING.secure}/page.html`);
  await api.webRequest.handlerBehaviorChanged();
  await api.dns.resolve("127.0.0.1", ["canonical_name"]);
  await api.dns.resolve("localhost");
});

scenario("pages", async () => {
  const tab = await opened("/frames.html");
  await api.webNavigation.getAllFrames({ tabId: tab.id });
  const frames = (await root.webNavigation?.getAllFrames({ tabId: tab.id })) ?? [];
  for (const { frameId } of frames) await api.webNavigation.getFrame({ tabId: tab.id, frameId });
  await api.webNavigation.getAllFrames({ tabId: 123456 });
  await api.tabs.update(tab.id, { url: server("/frames.html#there") });
  await until("webNavigation.onReferenceFragmentUpdated");
  await api.tabs.update(tab.id, { url: server("/redirect?to=/auth?user") });
  await pause(300);
  await api.tabs.update(tab.id, { url: server("/pushing.html") });
  await until("webNavigation.onHistoryStateUpdated");
  await api.tabs.update(tab.id, { url: server("/opening.html") });
  await until("webNavigation.onCreatedNavigationTarget", 2000);
  await api.tabs.update(tab.id, { url: "http://127.0.0.1:9/" });
  await until("webNavigation.onErrorOccurred");
  if (SETTING.secure) {
    await api.tabs.update(tab.id, { url: `${SETTING.secure}/page.html` });
    await pause(500);
  }
  await api.tabs.goBack(tab.id);
  await pause(300);
  await api.tabs.remove(tab.id);
});

scenario("cookies", async () => {
  const url = server("/page.html");
  await api.cookies.set({ url, name: "one", value: "1", expirationDate: Date.now() / 1000 + 900 });
  await api.cookies.set({ url, name: "two", value: "2", sameSite: "lax", httpOnly: true });
  await api.cookies.set({
    url: "https://example.com/",
    name: "three",
    secure: true,
    sameSite: "no_restriction",
    partitionKey: { topLevelSite: "https://example.org" },
  });
  await api.cookies.get({ url, name: "one" });
  await api.cookies.getAll({});
  await api.cookies.getAll({ partitionKey: {} });
  await api.cookies.getAllCookieStores();
  await api.cookies.getPartitionKey({ tabId: (await opened()).id, frameId: 0 });
  await api.cookies.remove({ url, name: "one" });
});

scenario("downloads", async () => {
  const id = await api.downloads.download({ url: server("/file.bin"), filename: "judge.bin", saveAs: false });
  const slow = await api.downloads.download({ url: server("/slow.bin"), saveAs: false });
  await pause(500);
  await api.downloads.pause(slow);
  await api.downloads.search({});
  await api.downloads.resume(slow);
  await api.downloads.cancel(slow);
  const none = await api.downloads.download({ url: server("/missing.bin"), saveAs: false });
  await pause(500);
  await api.downloads.search({});
  await api.downloads.getFileIcon(id);
  await api.downloads.removeFile(id);
  await api.downloads.setUiOptions({ enabled: true });
  for (const each of [id, slow, none]) await api.downloads.erase({ id: each ?? 0 });
});
