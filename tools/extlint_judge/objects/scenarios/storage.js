scenario("storage", async () => {
  for (const area of ["local", "session", "sync", "managed"]) {
    const it = api.storage[area];
    await it.set({ judge: 1 });
    await it.set({ judge: 2 });
    await it.get("judge");
    await it.getKeys();
    await it.getBytesInUse();
    await it.remove("judge");
    await it.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
  }
});

scenario("alarms", async () => {
  await api.alarms.create("judge", { when: Date.now() + 200, periodInMinutes: 1 });
  await api.alarms.create({ delayInMinutes: 1 });
  await api.alarms.get("judge");
  await api.alarms.getAll();
  await until("alarms.onAlarm");
  await api.alarms.clear("judge");
  await api.alarms.clearAll();
});
