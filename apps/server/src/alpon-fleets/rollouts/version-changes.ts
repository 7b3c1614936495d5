import type { ContainerSpec } from '@masthead/contract/devices/agent/application'
import type { Secrets } from '../../devices/agent/index.ts'
import { noNetwork, type NetworkContent } from '../../devices/network/index.ts'
import type { VersionContent } from './version-queries.ts'

/** What differs between two versions, in words: of variables only which ones, as their values may be secret. */
export function changesBetween(before: VersionContent, after: VersionContent): string[] {
  const names = [...new Set([...before.containers, ...after.containers].map(({ name }) => name))].toSorted()
  return [
    ...networkChanges(before.network, after.network),
    ...names.flatMap((name) => {
      const [was, is] = [before, after].map(({ containers }) => containers.find((each) => each.name === name))
      if (!was) return [`${name} added: ${is!.image}`]
      if (!is) return [`${name} removed`]
      const lines = linesOf(is)
      const changed = linesOf(was).flatMap(([what, text], nth) => (text === lines[nth]![1] ? [] : [`${what} ${text} to ${lines[nth]![1]}`]))
      const variables = variablesBetween([was, before.secrets[name] ?? {}], [is, after.secrets[name] ?? {}])
      // Of what the words leave out, as the order of ports.
      const isSame = textOf(was) === textOf(is)
      const all = [...changed, ...variables]
      return (all.length === 0 && !isSame ? ['other settings'] : all).map((words) => `${name}: ${words}`)
    }),
  ]
}

function networkChanges(before: NetworkContent = noNetwork, after: NetworkContent = noNetwork): string[] {
  const orders = settingChange('network priority', before.priority?.join(', '), after.priority?.join(', '))
  const apns = settingChange('APN', nameOf(before.apn), nameOf(after.apn))
  const isSame = before.apn?.password === after.apn?.password
  return [...orders, ...apns, ...(apns.length > 0 || !before.apn || !after.apn || isSame ? [] : ['password of the APN changed'])]
}

const nameOf = (apn: NetworkContent['apn']) => apn && `${apn.name}${apn.user === null ? '' : ` as ${apn.user}`}`

/** Of a setting that a device keeps where nothing is wanted of it. */
function settingChange(what: string, was: string | null | undefined, is: string | null | undefined): string[] {
  if ((was ?? null) === (is ?? null)) return []
  if (!was) return [`${what} set to ${is}`]
  return [is ? `${what} ${was} to ${is}` : `${what} ${was} not set any more: it stays as it is`]
}

/** Field by field: the database keeps the fields of an object in an order of its own. */
const textOf = ({ image, ports, volumes, environment, restart_policy, health }: ContainerSpec) =>
  JSON.stringify([image, ports, volumes, environment, restart_policy, health])

/** Each of what a container is, as a text. */
function linesOf({ image, ports, volumes, restart_policy, health }: ContainerSpec): [what: string, text: string][] {
  const list = (all: readonly string[]) => (all.length === 0 ? 'none' : all.toSorted().join(', '))
  return [
    ['image', image],
    ['ports', list(ports.map(({ host, container, protocol }) => `${host}:${container}/${protocol}`))],
    ['volumes', list(volumes.map(({ host, container, mode }) => `${host}:${container}:${mode}`))],
    ['restart policy', restart_policy],
    ['health check', health ? `“${health.command}” each ${health.every_s} s, ${health.retries} times, after ${health.start_s} s` : 'none'],
  ]
}

type Of = [spec: Pick<ContainerSpec, 'environment'>, secrets: Secrets]

function variablesBetween(before: Of, after: Of): string[] {
  const [was, is] = [before, after].map(
    ([{ environment }, secrets]) =>
      new Map(environment.map(({ name, value, secret }) => [name, JSON.stringify([secret, secret ? secrets[name] : value])]))
  ) as [Map<string, string>, Map<string, string>]
  return [...new Set([...was.keys(), ...is.keys()])].toSorted().flatMap((name) => {
    if (was.get(name) === is.get(name)) return []
    return [`variable ${name} ${was.has(name) ? (is.has(name) ? 'changed' : 'removed') : 'added'}`]
  })
}
