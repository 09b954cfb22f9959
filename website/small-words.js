// The search takes every word for the beginning of one: "in" finds "interface", and "I" finds "image". So the small words
// of a question are left out of it, and so are the marks at the end of words, unless nothing else was typed.
const SMALL_WORDS = new Set((
  "a about again all an and any are as at be been but by can could did do does for from get give had has have how i if in " +
  "into is it its know like make many may me much must my need no of on or our shall should so some than that the their " +
  "them then there they this to too up us use was we what when where which who why will with would you your"
).split(" "))

function searchedWords(typed) {
  const words = typed.split(/\s+/).map(word => word.replace(/[?!.,;:]+$/, ""))
  const telling = words.filter(word => word && !SMALL_WORDS.has(word.toLowerCase()))
  return telling.length ? telling.join(" ") : typed
}

const send = Worker.prototype.postMessage
Worker.prototype.postMessage = function (message, ...rest) {
  const asks = message?.type === 2 && typeof message.data === "string"
  return send.call(this, asks ? { ...message, data: searchedWords(message.data) } : message, ...rest)
}
