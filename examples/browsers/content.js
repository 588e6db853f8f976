document.querySelector("img").src = chrome.runtime.getURL("badge.svg");
window.confirm = () => true;
setInterval(() => chrome.storage.sync.set({ lastVoice: Date.now() }), 1000);
localStorage.setItem("voice", "calm");
chrome.runtime.onMessage.addListener((message) => console.log(message));
