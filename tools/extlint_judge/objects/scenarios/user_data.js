scenario("bookmarks", async () => {
  const folder = await api.bookmarks.create({ title: "judge" });
  const one = await api.bookmarks.create({ parentId: folder.id, title: "one", url: server("/page.html") });
  const two = await api.bookmarks.create({ parentId: folder.id, title: "two", url: server("/frame.html") });
  await api.bookmarks.create({ parentId: folder.id, type: "separator" });
  await api.bookmarks.get(one.id);
  await api.bookmarks.getChildren(folder.id);
  await api.bookmarks.getRecent(5);
  await api.bookmarks.getTree();
  await api.bookmarks.getSubTree(folder.id);
  await api.bookmarks.search("one");
  await api.bookmarks.update(one.id, { title: "three", url: server("/frames.html") });
  await api.bookmarks.move(two.id, { parentId: folder.id, index: 0 });
  await api.bookmarks.move(two.id, { index: 1 });
  await api.bookmarks.remove(one.id);
  await api.bookmarks.removeTree(folder.id);
});

scenario("history", async () => {
  const url = server("/titled.html");
  await api.history.addUrl({ url, title: "titled", transition: "link" });
  await opened("/titled.html");
  await pause(500);
  await api.history.search({ text: "", startTime: 0 });
  await api.history.getVisits({ url });
  await api.topSites.get();
  await api.topSites.get({ includeFavicon: true, newtab: true, includeBlocked: true, includePinned: true });
  await api.history.deleteUrl({ url });
  await api.history.deleteRange({ startTime: 0, endTime: Date.now() - 1000000 });
  await api.history.deleteAll();
});

scenario("reading list", async () => {
  const url = server("/page.html");
  await api.readingList.addEntry({ url, title: "judge", hasBeenRead: false });
  await api.readingList.query({});
  await api.readingList.updateEntry({ url, hasBeenRead: true });
  await api.readingList.removeEntry({ url });
});

scenario("notifications", async () => {
  const icon = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
  await api.notifications.create("judge", { type: "basic", iconUrl: icon, title: "judge", message: "judge" });
  await api.notifications.getAll();
  await api.notifications.getPermissionLevel();
  await api.notifications.update("judge", { title: "once more" });
  await api.notifications.clear("judge");
});

scenario("identities", async () => {
  const { cookieStoreId } = (await api.contextualIdentities.create({ name: "judge", color: "blue", icon: "gift" })) ?? {};
  await api.contextualIdentities.query({});
  if (cookieStoreId) {
    await api.contextualIdentities.get(cookieStoreId);
    await api.contextualIdentities.getSupportedColors();
    await api.contextualIdentities.getSupportedIcons();
    const tab = await opened("/page.html", { cookieStoreId });
    await api.cookies.getAllCookieStores();
    await api.tabs.remove(tab.id);
    await api.contextualIdentities.update(cookieStoreId, { name: "other" });
    await api.contextualIdentities.move(cookieStoreId, 0);
    await api.contextualIdentities.remove(cookieStoreId);
  }
});

scenario("browsing data", async () => {
  await api.browsingData.settings();
  await api.browsingData.remove({ since: Date.now() }, { cache: true });
});

scenario("search", async () => {
  await api.search.get();
  await api.search.search({ query: "judge" });
  await api.search.query({ text: "judge" });
});
