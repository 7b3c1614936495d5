/** Passwords people choose first: refused whatever their length (from public lists of the commonest). */
const commonest = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 1234567890 12345678910 0123456789 123456789a 1q2w3e4r5t 1qaz2wsx3edc qwertyuiop
  qwerty12345 qwerty1234 qwerty123456 1234567891 11111111111 1111111111 0000000000 abcdefghij abcd123456 iloveyou12 iloveyou123 letmein123 letmein1234
  welcome123 welcome1234 administrator admin12345 admin123456 adminadmin changeme123 changeme1234 football123 baseball123 superman123 dragon12345
  monkey12345 sunshine123 princess123 asdfghjkl1 asdfghjkl123 zxcvbnm123 zaq12wsxcde trustno1234 whatever123 michael1234 1234512345 9876543210
  0987654321 q1w2e3r4t5 1g2w3e4r5t qazwsxedcrfv passwordpassword mypassword123 secret12345 test123456 testtest123 login12345 master12345`.split(
    /\s+/
  )
)

/** What comes to mind on this page, however it is lengthened by digits and signs: "Masthead-2026!". Listed in docs/security.md. */
const nearby =
  /^(masthead|simcard|sim|esim|iot|cellular|network|telemetry|operator|console|admin|administrator|root|staff|owner|team|company|password|passwort|passw|secret|login|welcome|changeme|letmein|qwerty|iloveyou|hello|test|demo)+$/

export const passwordLength = { min: 10, max: 200 } as const

/** What is wrong with a new password, in words, or null. Length and the commonest, not character puzzles (NIST SP 800-63B §3.1.1.2). */
export function passwordProblem(password: string, about: { email?: string } = {}): string | null {
  const lower = password.toLowerCase()
  const [mailbox = ''] = (about.email ?? '').toLowerCase().split('@')
  if (password.length < passwordLength.min) return `Use at least ${passwordLength.min} characters`
  if (password.length > passwordLength.max) return `Use at most ${passwordLength.max} characters`
  if (commonest.has(lower)) return 'This is one of the commonest passwords. Choose another'
  if (nearby.test(lower.replaceAll(/[^\p{L}]/gu, '')))
    return 'This is too easy to guess: words of this product with digits and signs. Choose another'
  if (new Set(lower).size < 4) return 'Use more than three different characters'
  if (lower === about.email?.toLowerCase() || (mailbox.length >= passwordLength.min && lower === mailbox))
    return 'Your e-mail address cannot be your password'
  return null
}
