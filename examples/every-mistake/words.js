export const greetings = "Hello";
