// Variables that make sense only with another.

type Given<Name extends string> = { [Key in Name]?: string | undefined }

export const tlsMistakes = ({ MASTHEAD_TLS_CERT: cert, MASTHEAD_TLS_KEY: key }: Given<'MASTHEAD_TLS_CERT' | 'MASTHEAD_TLS_KEY'>) =>
  (cert === undefined) === (key === undefined) ? [] : ['MASTHEAD_TLS_CERT must be set together with MASTHEAD_TLS_KEY']

const databases = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const

export const databaseMistakes = (given: Given<(typeof databases)[number]>) => [
  ...(given.DATABASE_DIRECT_URL && !given.DATABASE_URL ? ['DATABASE_DIRECT_URL is for a pooler at DATABASE_URL, which is not set'] : []),
  ...databases.flatMap((name) => addressMistakes(name, given[name] ?? '')),
]

/** What PostgreSQL's own programs take and we do not, and what no program takes. */
function addressMistakes(name: string, address: string): string[] {
  if (address === '') return []
  const [, hosts = ''] = /^\w+:\/\/(?:[^/]*@)?([^/?@]*)/.exec(address) ?? []
  if (hosts.includes(','))
    return [`${name} must name one host. Have a name or a pooler lead to the PostgreSQL that takes writes: docs/operations/database.md`]
  // A host that is left out is a socket.
  return URL.canParse(address.replace('@/', '@localhost/'))
    ? []
    : [
        `${name} must be an address like postgres://user:password@host:5432/name. Write # / ? @ : % of a password as %23 %2F %3F %40 %3A %25`,
      ]
}
