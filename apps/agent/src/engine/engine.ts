import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import type { LogLine } from '@masthead/contract/devices/agent/messages'
import { creationOf, labels } from './creation.ts'
import { logReader, readLog } from './log-lines.ts'
import { pullProgress } from './pull-progress.ts'
import { askBytes, askJson, askNothing, askPieces, askStream, EngineTrouble } from './request.ts'

/** A container as the engine describes it; only what is read of it here. */
export type Inspected = {
  Id: string
  Image: string
  RestartCount?: number
  State: {
    Status: string
    ExitCode: number
    StartedAt: string
    Error?: string
    OOMKilled?: boolean
    /** podman has an empty status where Docker has no health at all. */
    Health?: { Status?: string } | null
  }
  Config: { Image: string; Labels?: Record<string, string> | null }
  /** By the port and protocol in the container (`80/tcp`): those of this machine. */
  HostConfig?: { PortBindings?: Record<string, { HostPort?: string }[] | null> | null }
}

export type Stats = {
  cpu_stats?: { cpu_usage?: { total_usage?: number }; online_cpus?: number }
  memory_stats?: { usage?: number; stats?: { inactive_file?: number } }
}

/** What an engine signs in to a registry with, as it takes it. */
export type RegistryLogin = { username: string; password: string; serveraddress: string }

type Pull = { login?: RegistryLogin | null; signal?: AbortSignal; onPercent?: ((percent: number) => void) | undefined }

const stopWaits = 10 // s until what does not end by itself is killed
const mostLogBytes = 2_000_000

/** The container engine of this machine, Docker or podman, by the calls that both know. Each fails with `EngineTrouble`. */
export function openEngine(socketPath: string) {
  const act = (id: string, verb: string) =>
    askNothing(socketPath, { method: 'POST', path: `/containers/${id}/${verb}`, waits: (stopWaits + 50) * 1000 })
  return {
    version: async () => {
      const answer = askJson<{ Version: string; Components?: { Name: string }[] }>(socketPath, { path: '/version' })
      const { Version, Components } = await answer
      return `${Components?.[0]?.Name ?? 'Engine'} ${Version}`
    },
    /** Ours alone, running or not. What is gone by the time it is asked for is left out. */
    async list(): Promise<Inspected[]> {
      const filters = encodeURIComponent(JSON.stringify({ label: [labels.name] }))
      const rows = await askJson<{ Id: string }[]>(socketPath, { path: `/containers/json?all=true&filters=${filters}` })
      const all = await Promise.all(rows.map(({ Id }) => this.inspect(Id)))
      return all.filter((each) => each !== undefined)
    },
    async inspect(id: string): Promise<Inspected | undefined> {
      try {
        return await askJson<Inspected>(socketPath, { path: `/containers/${id}/json` })
      } catch (error) {
        if (error instanceof EngineTrouble && error.status === 404) return undefined
        throw error
      }
    },
    /** Of an image that is there: the digest in a registry that it was asked for by (`asked`), else one that it has there; null: it is in none. */
    async digestOf(image: string, asked?: string): Promise<string | null> {
      // Its own id is no digest: nobody else could pull it by that.
      const { RepoDigests } = await askJson<{ RepoDigests?: string[] | null }>(socketPath, { path: `/images/${image}/json` })
      // It may have several: one of its own, and one of a list for several processors. podman gives one to what was made on the device, too.
      const digests = (RepoDigests ?? []).flatMap((one) => (one.startsWith('localhost/') ? [] : (one.split('@')[1] ?? [])))
      return digests.find((one) => one === asked) ?? digests[0] ?? null
    },
    async pull(image: string, { login, signal, onPercent }: Pull = {}): Promise<void> {
      const progress = pullProgress()
      const path = `/images/create?fromImage=${encodeURIComponent(withTag(image))}`
      const headers: Record<string, string> = login ? { 'X-Registry-Auth': loginHeader(login) } : {}
      const parts = askStream(socketPath, { method: 'POST', path, headers, waits: 300_000, signal })
      for await (const part of parts) {
        const { error, errorDetail } = part
        const percent = progress(part)
        if (percent !== null) onPercent?.(percent)
        // A pull that failed is answered with 200 and says so in its stream alone.
        const failed = error ?? (errorDetail as { message?: string } | undefined)?.message
        if (failed) throw new EngineTrouble(404, String(failed))
      }
    },
    async create(wanted: DesiredContainer): Promise<string> {
      const { name, body } = creationOf(wanted)
      const { Id } = await askJson<{ Id: string }>(socketPath, { method: 'POST', path: `/containers/create?name=${name}`, body })
      return Id
    },
    start: (id: string) => act(id, 'start'),
    stop: (id: string) => act(id, `stop?t=${stopWaits}`),
    restart: (id: string) => act(id, `restart?t=${stopWaits}`),
    unpause: (id: string) => act(id, 'unpause'),
    async remove(id: string): Promise<void> {
      try {
        await askNothing(socketPath, { method: 'DELETE', path: `/containers/${id}?force=true&v=true`, waits: 60_000 })
      } catch (error) {
        if (!(error instanceof EngineTrouble) || error.status !== 404) throw error
      }
    },
    stats: (id: string) => askJson<Stats>(socketPath, { path: `/containers/${id}/stats?stream=false&one-shot=true` }),
    async logs(id: string, lines: number): Promise<LogLine[]> {
      const path = `/containers/${id}/logs?stdout=true&stderr=true&timestamps=true&tail=${lines}`
      return readLog(await askBytes(socketPath, { path }, mostLogBytes)).slice(-lines)
    },
    /** The last lines, and those that come, until `signal` or the end of the container. */
    async *follow(id: string, lines: number, signal: AbortSignal): AsyncGenerator<LogLine[]> {
      const path = `/containers/${id}/logs?stdout=true&stderr=true&timestamps=true&follow=true&tail=${lines}`
      const read = logReader()
      for await (const piece of askPieces(socketPath, { path, waits: 0, signal })) yield read(piece)
    },
  }
}

export type Engine = ReturnType<typeof openEngine>

/** Engines read base64 of the alphabet for addresses, with its padding. */
const loginHeader = (login: RegistryLogin) =>
  Buffer.from(JSON.stringify(login)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

/** Without a tag Docker would pull each that there is. */
const withTag = (image: string) => (/@sha256:|:[^/]+$/.test(image) ? image : `${image}:latest`)
