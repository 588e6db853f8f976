chrome.runtime.onMessage.addListener(({ url }) => {
  const item = document.createElement("li");
  item.textContent = url;
  document.getElementById("list").append(item);
});
