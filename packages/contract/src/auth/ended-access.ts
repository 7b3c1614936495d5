import * as z from 'zod/mini'

/** What could act for an account, and was ended. */
export const Ended = z.object({
  password: z.boolean(),
  authenticator: z.boolean(),
  sessions: z.int(),
  passkeys: z.int(),
  identities: z.int(),
  api_keys: z.int(),
  webhooks: z.int(),
  members: z.int(),
  invitations: z.int(),
  links: z.int(),
  /** From here on: lines of before do not say them. */
  robots: z._default(z.int(), 0),
  deployments: z._default(z.int(), 0),
  claim_codes: z._default(z.int(), 0),
  mailings: z._default(z.int(), 0),
})
export type Ended = z.output<typeof Ended>

/** What was ended, as words: "the password, 2 API keys and 1 webhook". */
export function endedWords({ password, authenticator, ...counts }: Ended): string {
  const names = {
    sessions: ['session', 'sessions'],
    passkeys: ['passkey', 'passkeys'],
    identities: ['linked sign-in', 'linked sign-ins'],
    api_keys: ['API key', 'API keys'],
    webhooks: ['webhook', 'webhooks'],
    members: ['member of the team', 'members of the team'],
    invitations: ['invitation', 'invitations'],
    links: ['pending link', 'pending links'],
    robots: ['robot of the registry', 'robots of the registry'],
    deployments: ['CORE deployment', 'CORE deployments'],
    claim_codes: ['claim code', 'claim codes'],
    mailings: ['mailing to other addresses', 'mailings to other addresses'],
  } as const
  const words = [
    ...(password ? ['the password'] : []),
    ...(authenticator ? ['two-factor authentication'] : []),
    ...Object.entries(names).flatMap(([name, [one, many]]) => {
      const count = counts[name as keyof typeof names] ?? 0
      return count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`]
    }),
  ]
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? 'there was none')
}
