import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

type Asked = Pick<FastifyRequest, 'headers'>

/** The entity tag of what a digest names: others have another. */
export const etagOf = (digest: string) => `"${digest}"`

const lists = (list: string, digest: string) => list.trim() === '*' || list.split(',').some((each) => each.trim() === etagOf(digest))

/** Whether the client has it already (RFC 9110 §13.1.2). A proxy that compressed it made its tag a weak one. */
export const isKnown = ({ headers }: Asked, digest: string): boolean => lists((headers['if-none-match'] ?? '').replaceAll('W/', ''), digest)

/** Throws 412 where a tag does not name what the client thinks (RFC 9110 §13.1), or nothing has this name. `find`: the digest of what has it. */
export async function needCondition(request: Asked, find: () => Promise<string | null>): Promise<void> {
  const { 'if-match': match, 'if-none-match': none } = request.headers
  if (match === undefined && none === undefined) return
  const digest = await find()
  const isOther = match !== undefined && (digest === null || !lists(match, digest))
  if (isOther || (digest !== null && isKnown(request, digest)))
    throw new Refusal('DENIED', digest === null ? 'There is nothing of this name' : `It names ${digest} by now`, { status: 412 })
}
