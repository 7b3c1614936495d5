type Headers = Record<string, string>
/** What is read of answers; that of a release of before may be without. */
type Body = Record<string, unknown> & {
  id?: string
  items?: { id?: string; name?: string }[]
  secret?: string
  sim?: { status?: string }
  state?: string
  token?: string
}
type Answer = { status: number; body: Body; cookies: string[] }

/** Somebody who asks a release by its API. What does not come as JSON is read and left. */
async function ask(url: string, headers: Headers, method: string, path: string, body?: object): Promise<Answer> {
  const sent = body && { body: JSON.stringify(body) }
  const answer = await fetch(`${url}/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...sent,
  })
  const text = await answer.text()
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  return {
    status: answer.status,
    cookies,
    body: /\bjson\b/.test(answer.headers.get('content-type') ?? '') ? (JSON.parse(text) as Body) : {},
  }
}

export type Person = { headers: Headers; at: (url: string) => PersonAt }
export type PersonAt = {
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: object, more?: Headers) => Promise<Answer>
  /** Names of what an open console is notified of, as they come. */
  hear: () => Promise<{ names: Set<string>; close: () => void }>
}

/** With a session or a key that any release may have given. */
export const personWith = (headers: Headers): Person => ({
  headers,
  at: (url) => ({
    get: (path) => ask(url, headers, 'GET', path),
    post: (path, body, more = {}) => ask(url, { ...headers, ...more }, 'POST', path, body),
    hear: () => hear(url, headers),
  }),
})

async function hear(url: string, headers: Headers) {
  const closed = new AbortController()
  const answer = await fetch(`${url}/v1/live`, { headers, signal: closed.signal })
  if (!answer.ok) throw new Error(`The live stream answered ${answer.status}`)
  const names = new Set<string>()
  const read = async () => {
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream()))
      for (const [, name] of piece.matchAll(/^event: (.+)$/gm)) names.add(name!)
  }
  void read().catch(() => {}) // it was closed, or the release was stopped
  return { names, close: () => closed.abort() }
}

const password = 'masthead-demo'

/** As a browser has it: of each name the one that came last. */
const cookieOf = (given: readonly string[]) => [...new Map(given.map((each) => [each.split('=')[0], each])).values()].join('; ')

/** A person of the demo who signs in; staff enter the backoffice. */
export async function signIn(url: string, email: string): Promise<Person> {
  const { status, cookies } = await ask(url, {}, 'POST', '/auth/login', { email, password })
  if (status !== 200) throw new Error(`${email} could not sign in: ${status}`)
  const cookie = cookieOf(cookies)
  if (!email.startsWith('staff')) return personWith({ cookie })
  const entered = await ask(url, { cookie }, 'POST', '/backoffice/access', { password, reason: 'Ticket 7: an upgrade' })
  // The session has another name from here on.
  return personWith({ cookie: cookieOf([...cookies, ...entered.cookies]), 'x-backoffice-token': entered.body.token ?? '' })
}
