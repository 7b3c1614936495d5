import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A proxy before the database that can go silent as a stopped server or a lost route does: it takes bytes and connections, and gives nothing back.
 * `most`: how many connections there may be at a time; more are refused.
 */
export async function openProxy(url: string, { most = Infinity } = {}) {
  const { hostname, port, searchParams, pathname, username, password } = new URL(url)
  const socket = searchParams.get('host')
  let frozen = false
  let freezesAtError = false
  const here = new Set<Socket>()
  let opened = 0
  const server = createServer((near) => {
    opened++
    near.on('error', () => {})
    if (here.size >= 2 * most) return void near.destroy()
    here.add(near)
    near.on('close', () => here.delete(near))
    if (frozen) return
    const far = socket
      ? connect(`${socket}/.s.PGSQL.${searchParams.get('port') ?? 5432}`)
      : connect(Number(port || 5432), hostname || '127.0.0.1')
    far.on('error', () => {})
    here.add(far)
    near.on('data', (bytes) => frozen || far.write(bytes))
    far.on('data', (bytes: Buffer) => {
      if (frozen) return
      const end = freezesAtError ? endOfError(bytes) : null
      frozen = end !== null
      near.write(end === null ? bytes : bytes.subarray(0, end))
    })
    far.on('close', () => frozen || near.end())
    near.on('close', () => {
      far.destroy()
      here.delete(far)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [user, secret] = [searchParams.get('user') ?? username, searchParams.get('password') ?? password]
  return {
    url: `postgres://${user}:${secret}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    /** Connections so far. */
    opened: () => opened,
    freeze: () => (frozen = true),
    /** Silent right after the next error that the database reports. */
    freezeAtError: () => (freezesAtError = true),
    isFrozen: () => frozen,
    thaw: () => (frozen = freezesAtError = false),
    close: () => {
      for (const each of here) each.destroy()
      server.close()
    },
  }
}

/** Where the first ErrorResponse among whole messages ends, if there is one: a letter, then a length that counts itself. */
function endOfError(bytes: Buffer): number | null {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === 'E'.charCodeAt(0)) return at + 1 + bytes.readInt32BE(at + 1)
  return null
}
