export type Call = <Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Answer>

/** Calls the API as somebody in a browser; `url` says where it is now, since it may be started again elsewhere. */
export const client =
  (url: () => string, cookie: string): Call =>
  async <Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await fetch(`${url()}/v1/${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    return (await answer.json()) as Answer
  }
