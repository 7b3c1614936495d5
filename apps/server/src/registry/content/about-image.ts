import type { ImageConfig } from '@masthead/contract/registry/image'
import type { App } from '../../kernel/app.ts'
import { findHeld } from './held.ts'
import { largestConfig, plain, platformOf, type Platform, type ReadManifest } from './read-manifest.ts'
import type { Repository } from './repository.ts'

const mostLines = 500
const longestLine = 400

/** Bytes of a blob that is small, as an object; an empty one where it is none. */
async function readSmallJson(app: App, repository: Repository, digest: string): Promise<Record<string, unknown>> {
  const held = await findHeld(app.db, repository, digest)
  if (!held || held.bytes > largestConfig) return {}
  const chunks: Uint8Array[] = []
  for await (const chunk of (await app.blobs.read(held.key)) ?? []) chunks.push(chunk as Uint8Array)
  try {
    return objectOf(JSON.parse(Buffer.concat(chunks).toString()))
  } catch {
    return {}
  }
}

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<string, unknown>
const textOf = (value: unknown) => (typeof value === 'string' ? plain(value, longestLine) : '')
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.slice(0, mostLines).map(textOf) : [])

/** What is shown of a manifest that is about to be pushed: its platforms, and what its configuration says. */
export async function aboutImage(
  app: App,
  repository: Repository,
  { config, platforms }: ReadManifest
): Promise<{ platforms: Platform[]; image: ImageConfig | null }> {
  if (!config) return { platforms, image: null }
  const given = await readSmallJson(app, repository, config)
  return { platforms: platformOf(given), image: imageOf(given) }
}

/** A configuration without what may be secret in it: of the environment and of build arguments the names alone. */
export function imageOf(given: Record<string, unknown>): ImageConfig {
  const config = objectOf(given.config)
  const created = typeof given.created === 'string' ? new Date(given.created) : new Date(NaN)
  const year = created.getUTCFullYear()
  return {
    author: textOf(given.author),
    // Others are written with a sign, which is no time of an answer.
    created_at: year >= 0 && year <= 9999 ? created.toISOString() : null,
    entrypoint: textsOf(config.Entrypoint),
    cmd: textsOf(config.Cmd),
    env: textsOf(config.Env).map((line) => line.replace(/=.*$/s, '')),
    exposed_ports: Object.keys(objectOf(config.ExposedPorts)).slice(0, 100).map(textOf),
    workdir: textOf(config.WorkingDir),
    user: textOf(config.User),
    labels: Object.fromEntries(
      Object.entries(objectOf(config.Labels))
        .slice(0, 200)
        .map(([name, value]) => [textOf(name), textOf(value)])
    ),
    history: (Array.isArray(given.history) ? given.history.slice(0, mostLines) : []).map((line) => {
      const { created_by, comment, empty_layer } = objectOf(line)
      return { created_by: withoutValues(textOf(created_by) || textOf(comment)), empty: empty_layer === true }
    }),
  }
}

/** A line of a build without the values that it set: `ENV TOKEN=abc` says `ENV TOKEN=…`. */
export function withoutValues(line: string): string {
  const args = /^(RUN )?\|(\d+) /.exec(line)
  if (args) {
    // `|2 A=1 B=2 /bin/sh -c make`: so many build arguments stand before the command.
    const shell = line.search(/\s\/(bin|usr)\//)
    const names = [...line.slice(args[0].length, shell < 0 ? undefined : shell).matchAll(/(?:^|\s)([A-Za-z_]\w*)=/g)].slice(
      0,
      Number(args[2])
    )
    return `${args[1] ?? ''}|${args[2]} ${names.map(([, name]) => `${name}=…`).join(' ')}${shell < 0 ? '' : line.slice(shell)}`
  }
  const set = /^(\/bin\/sh -c #\(nop\)\s+)?(ENV|ARG)\s+/.exec(line)
  if (!set) return line
  const rest = line.slice(set[0].length)
  if (!rest.includes('=')) return set[2] === 'ENV' ? `${set[0]}${rest.split(/\s/)[0]} …` : line
  const names = [...rest.matchAll(/(?:^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|(?:\\.|\S)*)/g)].map(([, name]) => `${name}=…`)
  return set[0] + (names.length > 0 ? names.join(' ') : '…')
}
