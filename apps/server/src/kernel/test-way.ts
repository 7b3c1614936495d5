import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to the database that can go silent as a stopped server or a lost route does: it takes bytes and connections, and gives nothing back. */
export async function openWay(url: string) {
  const { hostname, port, searchParams, pathname } = new URL(url)
  const socket = searchParams.get('host')
  let frozen = false
  const here = new Set<Socket>()
  let opened = 0
  const server = createServer((near) => {
    opened++
    here.add(near)
    near.on('error', () => {})
    if (frozen) return
    const far = socket
      ? connect(`${socket}/.s.PGSQL.${searchParams.get('port') ?? 5432}`)
      : connect(Number(port || 5432), hostname || '127.0.0.1')
    far.on('error', () => {})
    here.add(far)
    near.on('data', (bytes) => frozen || far.write(bytes))
    far.on('data', (bytes) => frozen || near.write(bytes))
    near.on('close', () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    /** Connections so far. */
    opened: () => opened,
    freeze: () => (frozen = true),
    thaw: () => (frozen = false),
    close: () => {
      for (const each of here) each.destroy()
      server.close()
    },
  }
}
