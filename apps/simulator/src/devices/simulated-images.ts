import { ask, getFrom, type Server } from './ask-server.ts'
import type { PlannedDevice } from './device-plan.ts'

/** So long an image is on its way, and then unpacked; after so long one that its registry does not give is asked for again, ms. */
const downloads = 4000
const unpacks = 1000
const asksAgain = 60_000

/** Why an image does not come, as it is reported of its container. */
type Refusal = { words: string; since: string; next_at: string }

/** The images of a simulated device. Those of the registry of its server it asks for, as an engine would; of others nobody asks. */
export class SimulatedImages {
  #server: Server
  #device: PlannedDevice
  #isNew = true
  #there = new Set<string>()
  /** When each began to come, ms since 1970. */
  #coming = new Map<string, number>()
  #refused = new Map<string, Refusal>()

  constructor(server: Server, device: PlannedDevice) {
    this.#server = server
    this.#device = device
  }

  /** What is wanted when it is started for the first time is there already. */
  async want(images: readonly string[], now: Date): Promise<void> {
    const isFirst = this.#isNew
    this.#isNew = false
    for (const image of this.#refused.keys()) if (!images.includes(image)) this.#refused.delete(image)
    for (const [image, began] of this.#coming) if (now.getTime() - began >= downloads + unpacks) this.#coming.delete(image)
    for (const image of new Set(images)) {
      if (this.#there.has(image) || (!isFirst && !(await this.#isGiven(image, now)))) continue
      if (!isFirst) this.#coming.set(image, now.getTime())
      this.#there.add(image)
    }
  }

  get isBusy(): boolean {
    return this.#coming.size > 0
  }

  /** How much of one that comes is there, 100 while it is unpacked; null: it does not come. */
  percentOf(image: string, now: Date): number | null {
    const began = this.#coming.get(image)
    return began === undefined ? null : Math.min(100, Math.floor(((now.getTime() - began) / downloads) * 100))
  }

  refusalOf = (image: string): Refusal | undefined => this.#refused.get(image)

  async #isGiven(image: string, now: Date): Promise<boolean> {
    const before = this.#refused.get(image)
    if (before && now.getTime() < Date.parse(before.next_at)) return false
    const words = await whyRefused(this.#server, this.#device, image)
    if (words === null) this.#refused.delete(image)
    else {
      const [since, next_at] = [before?.since ?? now.toISOString(), new Date(now.getTime() + asksAgain).toISOString()]
      this.#refused.set(image, { words, since, next_at })
    }
    return words === null
  }
}

/** Why the registry of its server does not give a device an image, in its words; null: it does, or the image is of another registry. */
async function whyRefused(server: Server, { username, password }: PlannedDevice, image: string): Promise<string | null> {
  const [, host, repository, tag = 'latest', digest] = /^([^/]+[.:][^/]*)\/([^:@]+)(?::([^@]+))?(?:@(.+))?$/.exec(image) ?? []
  if (!host) return null
  const login = await ask<{ hosts: string[]; username: string; password: string }>(server, '/v1/devices/registry-login', {
    'x-device-key': `${username}:${password}`,
  })
  if (!login.hosts.includes(host)) return null
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const { status, text } = await getFrom(server, `/v2/${repository}/manifests/${digest ?? tag}`, { authorization })
  if (status === 200) return null
  const { errors } = JSON.parse(text) as { errors: { code: string; message: string }[] }
  return errors.map(({ code, message }) => `${code}: ${message}`).join(', ')
}
