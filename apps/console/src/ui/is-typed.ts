/** Whether `text` is the word that had to be typed. Of a figure ("12,000") the commas may be left out. */
export const isTyped = (text: string, word: string): boolean =>
  text.trim() === word || (/^\d{1,3}(,\d{3})+$/.test(word) && text.trim() === word.replaceAll(',', ''))
