// Variables that make sense only with another.

type Given<Name extends string> = { [Key in Name]?: string | undefined }

export const tlsMistakes = ({ MASTHEAD_TLS_CERT: cert, MASTHEAD_TLS_KEY: key }: Given<'MASTHEAD_TLS_CERT' | 'MASTHEAD_TLS_KEY'>) =>
  (cert === undefined) === (key === undefined) ? [] : ['MASTHEAD_TLS_CERT must be set together with MASTHEAD_TLS_KEY']

export const databaseMistakes = ({ DATABASE_URL, DATABASE_DIRECT_URL }: Given<'DATABASE_URL' | 'DATABASE_DIRECT_URL'>) =>
  DATABASE_DIRECT_URL && !DATABASE_URL ? ['DATABASE_DIRECT_URL is for a pooler at DATABASE_URL, which is not set'] : []
