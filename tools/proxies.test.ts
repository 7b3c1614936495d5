import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { tunnelTimes } from '@masthead/contract/terminal/tunnel'
import { readSource } from './sources.ts'

// The files for nginx and Caddy, read as these programs read them, also where neither is at hand (deploy.test.ts asks those that are).

type Directive = { words: string[]; inside: Directive[] | null }

const withoutComments = (text: string) => text.replaceAll(/(^|\s)#.*$/gm, '$1')

/** Directives, each ended by `end`, and what stands inside them. Throws for a brace too many or too few, and for one that has no end. */
function parse(words: string[], end: string): Directive[] {
  const open: Directive[][] = [[]]
  let now: string[] = []
  for (const word of words) {
    if (word === end) {
      if (now.length > 0) open.at(-1)!.push({ words: now, inside: null })
      now = []
    } else if (word === '{') {
      if (now.length === 0) throw new Error('A block without a name')
      const inside: Directive[] = []
      open.at(-1)!.push({ words: now, inside })
      open.push(inside)
      now = []
    } else if (word === '}') {
      if (now.length > 0) throw new Error(`"${now.join(' ')}" has no end`)
      open.pop()
      if (open.length === 0) throw new Error('A } too many')
    } else now.push(word)
  }
  if (now.length > 0) throw new Error(`"${now.join(' ')}" has no end`)
  if (open.length > 1) throw new Error('A } is missing')
  return open[0]!
}

const parseNginx = (text: string) => parse(withoutComments(text).match(/'[^']*'|[;{}]|[^\s;{}']+/g)!, ';')
// In a Caddyfile a directive ends with its line.
const parseCaddy = (text: string) => parse(withoutComments(text).match(/\{\$[^}]*\}|[\n{}]|[^\s{}]+/g)!, '\n')

const all = (directives: Directive[]): Directive[] => directives.flatMap((each) => [each, ...all(each.inside ?? [])])
const named = (directives: Directive[], name: string) => all(directives).filter(({ words }) => words[0] === name)

describe('reading', () => {
  test('sees what nginx would refuse', () => {
    expect(parseNginx('a { b c; } # d {')).toEqual([{ words: ['a'], inside: [{ words: ['b', 'c'], inside: null }] }])
    for (const wrong of ['a { b c }', 'a { b c;', 'b c; }', 'a b']) expect(() => parseNginx(wrong), wrong).toThrow()
  })
})

describe('nginx', () => {
  const site = parseNginx(readSource('deploy/nginx/masthead.conf'))
  const shared = parseNginx(readSource('deploy/nginx/masthead-upstream.conf'))
  const proxy = parseNginx(readSource('deploy/nginx/masthead-proxy.conf'))
  const below = parseNginx(readSource('deploy/nginx/masthead-path.conf'))
  const tunnels = parseNginx(readSource('deploy/nginx/masthead-tunnels.conf'))

  test('finds each file that another one includes', () => {
    const included = [site, below, tunnels].flatMap((file) => named(file, 'include').map(({ words }) => words[1]!))
    expect(included).toHaveLength(4)
    expect(new Set(included)).toEqual(new Set(['/etc/nginx/masthead-proxy.conf']))
    expect(proxy.every(({ inside }) => inside === null)).toBe(true)
  })

  test('finds the upstream that it passes to, and the variables that are its own', () => {
    const [upstream] = named(shared, 'upstream')
    expect(named(proxy, 'proxy_pass').map(({ words }) => words[1])).toEqual([`http://${upstream!.words[1]}`])
    const [map] = named(shared, 'map')
    const own = named(proxy, 'proxy_set_header').flatMap(({ words }) => words.filter((word) => word.startsWith('$masthead')))
    expect(own).toEqual([map!.words[2]])
    // No Connection: keep-alive to Masthead otherwise.
    expect(map!.inside!.map(({ words }) => words)).toEqual([
      ['default', 'upgrade'],
      ["''", "''"],
    ])
  })

  test('knows its directives where they stand, each header once', () => {
    const allowed: Record<string, RegExp> = {
      '': /^(map|upstream|server|location)$/,
      map: /^(default|'')$/,
      upstream: /^(server|keepalive)$/,
      server: /^(listen|server_name|return|ssl_\w+|server_tokens|client_max_body_size|proxy_read_timeout|location)$/,
      location: /^(include|return|client_max_body_size|proxy_read_timeout)$/,
    }
    const strange = (directives: Directive[], where = ''): string[] =>
      directives.flatMap(({ words, inside }) => [
        ...(allowed[where]!.test(words[0]!) ? [] : [`${words.join(' ')} in ${where || 'the file'}`]),
        ...(inside ? strange(inside, words[0]) : []),
      ])
    expect([shared, site, below, tunnels].flatMap((file) => strange(file))).toEqual([])
    expect(
      proxy.filter(({ words }) => !/^proxy_(pass|http_version|set_header|(request_)?buffering|send_timeout)$/.test(words[0]!))
    ).toEqual([])
    const headers = named(proxy, 'proxy_set_header').map(({ words }) => words[1])
    expect(new Set(headers).size).toBe(headers.length)
    expect(named(proxy, 'proxy_set_header').filter(({ words }) => words.length !== 3)).toEqual([])
  })

  test('waits for what is silent: for a live stream, and for whatever goes by the name of a tunnel as long as a tunnel lasts', () => {
    const waits = (file: Directive[]) => named(file, 'proxy_read_timeout').map(({ words }) => words[1]!)
    // Of the two that lead to Masthead each; a live stream says something every 20 s, and has to outlast that.
    expect([waits(site), waits(below)]).toEqual([['120s'], ['120s', '120s']])
    const longest = Math.max(...Object.keys(tunnelTimes).map(Number))
    expect(waits(tunnels)).toEqual([`${longest / 60}h`])
  })

  test('takes files of any size wherever they arrive', () => {
    for (const file of [site, tunnels]) expect(named(file, 'client_max_body_size').map(({ words }) => words[1])).toEqual(['0'])
    // The server of a host that has more is somebody else's, with its 1 MB: below a path stock and layers come by these two.
    for (const { words, inside } of named(below, 'location').filter(({ inside }) => named(inside!, 'include').length > 0))
      expect(
        named(inside!, 'client_max_body_size').map((each) => each.words[1]),
        words.join(' ')
      ).toEqual(['0'])
  })
})

describe('Caddy', () => {
  test.each(['Caddyfile', 'Caddyfile-path'])('%s has directives that it knows, and what is set from outside has a default', (name) => {
    const text = readSource(`deploy/caddy/${name}`)
    const sites = parseCaddy(text)
    expect(sites).toHaveLength(1)
    expect(sites[0]!.inside).not.toBeNull()
    const known = /^(encode|match|header|reverse_proxy|transport|keepalive|redir|handle|@masthead)$/
    expect(all(sites[0]!.inside!).filter(({ words }) => !known.test(words[0]!))).toEqual([])
    const given = [...text.matchAll(/\{\$(\w+)(:[^}]+)?\}/g)]
    expect(given.map(([, variable]) => variable)).toEqual(['MASTHEAD_NAME', 'MASTHEAD_UPSTREAM'])
    expect(given.every(([, , otherwise]) => otherwise !== undefined)).toBe(true)
    expect(named(sites, 'reverse_proxy')).toHaveLength(1)
    // What `encode` takes by itself is every text, and so a stream of events.
    for (const { inside } of named(sites, 'encode'))
      expect(named(inside ?? [], 'header').map(({ words }) => words.slice(1))).toEqual([
        ['Content-Type', 'application/json*'],
        ['Content-Type', 'text/csv*'],
      ])
  })

  test('Caddyfile-tunnels stands beside either of them, for all names below the domain', () => {
    const [site, ...others] = parseCaddy(readSource('deploy/caddy/Caddyfile-tunnels'))
    expect(others).toEqual([])
    expect(site!.words).toEqual(['*.', '{$MASTHEAD_TUNNEL_DOMAIN:tunnels.example.com}'])
    expect(site!.inside!.map(({ words }) => words[0])).toEqual(['tls', 'reverse_proxy'])
    const [proxy] = named(parseCaddy(readSource('deploy/caddy/Caddyfile')), 'reverse_proxy')
    expect(site!.inside![1]).toEqual(proxy)
  })

  test.each(['Caddyfile', 'Caddyfile-path', 'Caddyfile-tunnels'])(
    '%s keeps no connection for as long as Masthead does, which may end it just then',
    (name) => {
      const [idle] = named(parseCaddy(readSource(`deploy/caddy/${name}`)), 'keepalive')
      expect(Number(/^(\d+)s$/.exec(idle!.words[1]!)![1]) * 1000).toBeLessThan(Fastify().server.keepAliveTimeout)
    }
  )

  test('and nginx lead the same addresses of a shared host to Masthead', () => {
    const [matcher] = named(parseCaddy(readSource('deploy/caddy/Caddyfile-path')), '@masthead')
    const locations = named(parseNginx(readSource('deploy/nginx/masthead-path.conf')), 'location').filter(({ words }) => words[1] !== '=')
    expect(matcher!.words.slice(2)).toEqual(locations.map(({ words }) => `${words.at(-1)}*`))
    // Before any location of the host that goes by a pattern.
    expect(new Set(locations.map(({ words }) => words[1]))).toEqual(new Set(['^~']))
  })
})
