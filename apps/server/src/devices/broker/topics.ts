/** What a device publishes, by what follows its own topic. */
export type Subject = 'birth' | 'death' | 'hive' | 'signaling'

/** The topics of one device, made once when it connects: no other is open to it. */
export type OwnTopics = { publishes: ReadonlyMap<string, Subject>; directives: string; request: string; subscribes: ReadonlySet<string> }

export function topicsOf(username: string): OwnTopics {
  const own = `device/${username}`
  const directives = `${own}/directives`
  const request = `signaling/${username}/request`
  return {
    publishes: new Map<string, Subject>([
      [`${own}/birth`, 'birth'],
      [`${own}/death`, 'death'],
      [`${own}/hive`, 'hive'],
      [`signaling/${username}/response`, 'signaling'],
    ]),
    directives,
    request,
    subscribes: new Set([directives, request]),
  }
}

export const clientIdOf = (username: string): string => `device/${username}`
