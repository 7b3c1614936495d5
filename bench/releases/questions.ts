import { type Person, personWith } from './people.ts'

// No answer ends these, or they are for devices, which have other secrets.
const left = /^\/stream$|\/follow$|^\/devices\/|^\/report-links\//
const known: Record<string, string> = { email: 'owner@demo.test' }

type Asked = { status: number; code: string; keys: string[] }

const keysOf = (body: { items?: object[] }) => [...Object.keys(body), ...Object.keys(body.items?.[0] ?? {}).map((key) => `items.${key}`)]

const askAs = (url: string, owner: Person, staff: Person, path: string) =>
  (path.startsWith('/backoffice') ? staff : owner).at(url).get(path)

/** Of each question that a release describes the address that is asked, with the first id of each list: found once, so that all releases are asked the same. */
export async function addressesAt(url: string, owner: Person, staff: Person): Promise<Map<string, string>> {
  const firstOf = new Map<string, Promise<string | undefined>>()
  const first = (list: string) => {
    const found = firstOf.get(list) ?? askAs(url, owner, staff, list).then(({ body }) => body.items?.[0]?.id)
    firstOf.set(list, found)
    return found
  }
  const fill = async (path: string): Promise<string | undefined> => {
    const name = /\{(\w+)\}/.exec(path)
    if (!name) return path
    const list = path.slice(0, name.index - 1)
    const id = /_id\}\/alpon\b/.test(path) ? agent : await first(name[1] === 'any_asset_id' ? '/assets' : list)
    const value = known[name[1]!] ?? id
    return value === undefined ? undefined : fill(`${list}/${value}${path.slice(name.index + name[0].length)}`)
  }
  const agent = await setUpAgent(url, owner)
  const addresses = new Map<string, string>()
  for (const path of await describedAt(url)) {
    const address = left.test(path) ? undefined : await fill(path)
    if (address !== undefined) addresses.set(path, address)
  }
  return addresses
}

/** An asset with a device that runs our agent: of another one there is nothing to say, and a newer release refuses what an older one left empty. */
async function setUpAgent(url: string, owner: Person): Promise<string> {
  const at = owner.at(url)
  const id = (await at.get('/assets?type=alpon_x5_ai')).body.items![0]!.id!
  const { body } = await at.post(`/assets/${id}/alpon/claim-code`)
  const { status } = await personWith({})
    .at(url)
    .post('/devices/enrol', { code: String(body.code) })
  if (status !== 200) throw new Error(`No device could be set up: ${status}`)
  return id
}

export async function askAll(url: string, owner: Person, staff: Person, addresses: Map<string, string>): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>()
  for (const [path, address] of addresses) {
    const { status, body } = await askAs(url, owner, staff, address)
    asked.set(path, { status, code: String(body.code ?? ''), keys: status === 200 ? keysOf(body) : [] })
  }
  return asked
}

/** The paths of the questions that a release describes. */
async function describedAt(url: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
}

/** Which questions were answered before and are not any more, or with less. */
export function whatIsLess(before: Map<string, Asked>, now: Map<string, Asked>): string[] {
  return [...before].flatMap(([path, { status, keys }]) => {
    const is = now.get(path)
    if (!is) return [`${path} has nothing to ask for`]
    // A list that is empty now says nothing of its rows.
    const isEmpty = !is.keys.some((key) => key.startsWith('items.'))
    const gone = keys.filter((key) => !is.keys.includes(key) && !(isEmpty && key.startsWith('items.')))
    if (is.status >= 500 || (status === 200 && is.status !== 200)) return [`${path}: ${status}, then ${is.status} ${is.code}`]
    return gone.length > 0 ? [`${path} lacks ${gone.join(', ')}`] : []
  })
}
