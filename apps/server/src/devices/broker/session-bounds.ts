/** What aedes keeps of sessions that outlive their connections, as far as it is bounded here. */
export type Sessions = {
  addSubscriptions: (client: Named, subscriptions: Subscription[]) => Promise<unknown>
  outgoingEnqueue: (to: { clientId: string }, packet: object) => Promise<unknown>
  outgoingClearMessageId: (client: Named, packet: object) => Promise<object | undefined>
  outgoingStream: (client: Named) => AsyncIterable<object>
  incomingStorePacket: (client: Named, packet: Numbered) => Promise<unknown>
  incomingDelPacket: (client: Named, packet: Numbered) => Promise<unknown>
  cleanIncoming: (client: Named) => Promise<unknown>
}
type Named = { id: string }
type Numbered = { messageId: number }
type Subscription = { topic: string }

/** `maySubscribe`: whether a device may subscribe to a topic. `sent`, `received`: messages that one session keeps until they are acknowledged, or released (QoS 2). */
type Most = { maySubscribe: (client: Named, topic: string) => boolean; sent: number; received: number }

/**
 * Bounds what a session keeps when its device never acknowledges and never releases, however often it connects: the oldest goes. aedes bounds a
 * connection alone, keeps the topics that were refused with the others, and keeps the whole of its sessions in memory.
 */
export function boundSessions(sessions: Sessions, { maySubscribe, sent, received }: Most): void {
  const { addSubscriptions, outgoingEnqueue, outgoingClearMessageId, incomingStorePacket, incomingDelPacket, cleanIncoming } = sessions
  const waiting = new Map<string, number>()
  const open = new Map<string, number[]>()

  sessions.addSubscriptions = (client, subscriptions) =>
    addSubscriptions.call(
      sessions,
      client,
      subscriptions.filter(({ topic }) => maySubscribe(client, topic))
    )

  sessions.outgoingEnqueue = async (to, packet) => {
    const client = { id: to.clientId }
    if ((waiting.get(client.id) ?? 0) >= sent)
      for await (const oldest of sessions.outgoingStream(client)) {
        await sessions.outgoingClearMessageId(client, oldest)
        break
      }
    waiting.set(client.id, (waiting.get(client.id) ?? 0) + 1)
    return outgoingEnqueue.call(sessions, to, packet)
  }
  sessions.outgoingClearMessageId = async (client, packet) => {
    const cleared = await outgoingClearMessageId.call(sessions, client, packet)
    const left = (waiting.get(client.id) ?? 0) - (cleared ? 1 : 0)
    if (left > 0) waiting.set(client.id, left)
    else waiting.delete(client.id)
    return cleared
  }

  sessions.incomingStorePacket = async (client, packet) => {
    const ids = open.get(client.id) ?? []
    if (ids.length >= received) await incomingDelPacket.call(sessions, client, { messageId: ids.shift()! }).catch(() => undefined)
    open.set(client.id, [...ids, packet.messageId])
    return incomingStorePacket.call(sessions, client, packet)
  }
  sessions.incomingDelPacket = (client, packet) => {
    const ids = (open.get(client.id) ?? []).filter((id) => id !== packet.messageId)
    if (ids.length > 0) open.set(client.id, ids)
    else open.delete(client.id)
    return incomingDelPacket.call(sessions, client, packet)
  }
  sessions.cleanIncoming = (client) => {
    open.delete(client.id)
    return cleanIncoming.call(sessions, client)
  }
}
