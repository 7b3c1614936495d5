/** Who has no second factor, by e-mail: at most three, and how many more. At least one is given. */
export function lackingWords(emails: readonly string[]): string {
  const names = emails.length > 3 ? [...emails.slice(0, 3), `${(emails.length - 3).toLocaleString('en')} more`] : emails
  const who = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]
  return `${who} ${names.length > 1 ? 'have' : 'has'} no second factor yet.`
}
