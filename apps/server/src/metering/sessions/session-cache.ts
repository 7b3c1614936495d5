import type { KeptSession } from './session-rules.ts'

const most = 200_000 // about 280 MB; the one that has been here longest makes room, and is read from the database when it reports

/**
 * Open sessions that this meter counts, by their keys. What it says of a session holds only if the database still has the same
 * revision, which every batch checks as it writes. Whoever sees a batch fail forgets its sessions where
 * that is why, else all of it.
 */
export class SessionCache<Session extends { kept: Pick<KeptSession, 'ended_at'> }> {
  #sessions = new Map<string, Session>()
  /** Goes on where it was: one that begins anew passes all that made room before it. */
  #oldest = this.#sessions.keys()

  get(key: string): Session | undefined {
    return this.#sessions.get(key)
  }

  /** Keeps a session as it was committed. An ended one hardly reports again. */
  keep(key: string, live: Session) {
    if (live.kept.ended_at !== null) return void this.#sessions.delete(key)
    if (this.#sessions.size >= most && !this.#sessions.has(key)) this.#makeRoom()
    this.#sessions.set(key, live)
  }

  #makeRoom() {
    let next = this.#oldest.next()
    if (next.done) next = (this.#oldest = this.#sessions.keys()).next()
    this.#sessions.delete(next.value!)
  }

  forget(keys: readonly string[]) {
    for (const key of keys) this.#sessions.delete(key)
  }

  /** Forgets all whose keys begin so. */
  forgetFrom(start: string) {
    for (const key of this.#sessions.keys()) if (key.startsWith(start)) this.#sessions.delete(key)
  }

  clear() {
    this.#sessions.clear()
    this.#oldest = this.#sessions.keys()
  }
}
