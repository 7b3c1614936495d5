import type { FastifyError } from 'fastify'
import { internal, invalidRequest, notFound, Problem, tooLarge, unavailable, type ProblemKind } from '@masthead/contract/kernel/problem'
import { BlobsNotRead } from '../blobs/blobs.ts'
import { isAway } from '../database/database-away.ts'
import { troubleOf } from '../database/database-trouble.ts'

/** Two transactions wrote the same rows and PostgreSQL ended one of them: its caller may try again. */
const collided = new Set(['40001', '40P01'])
/** A NUL in a text: no text of PostgreSQL can hold it. */
const unstorable = new Set(['22021', '22P05'])
const byStatus: Record<number, ProblemKind> = {
  400: invalidRequest,
  403: notFound, // a directory where a file of the console was asked for
  404: notFound,
  413: tooLarge,
  414: invalidRequest,
  415: invalidRequest,
}
const wordsByCode: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON, with the header Content-Type: application/json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MB',
  FST_ERR_BAD_URL: 'The address is not a valid one',
}

/** The client closed the connection before its request was complete: nothing of ours failed. */
const isGivenUp = (error: Error & { code?: string }) => error.code === 'ECONNRESET' && error.message === 'aborted'

/** Whatever was thrown, as a problem: ours, Fastify's about the request, the database being away, or a mistake of ours. */
export function asProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  if (isGivenUp(error)) return new Problem(invalidRequest, 'The connection ended before the whole request was there', { cause: error })
  const { code = '', statusCode = 0, expose = false } = error as Partial<FastifyError> & { expose?: boolean }
  const trouble = troubleOf(error)
  if (trouble) return new Problem(unavailable, trouble.detail, { retryAfter: trouble.retryAfter, cause: error })
  if (isAway(error)) return new Problem(unavailable, undefined, { retryAfter: 2, cause: error })
  if (error instanceof BlobsNotRead)
    return new Problem(unavailable, 'The store of files cannot be read now. Try again in a moment, or ask staff', {
      retryAfter: 10,
      cause: error,
    })
  if (collided.has(code))
    return new Problem(unavailable, 'Somebody else changed the same at once, try again', { retryAfter: 1, cause: error })
  if (unstorable.has(code)) return new Problem(invalidRequest, 'The request contains a character that cannot be stored', { cause: error })
  const kind = code.startsWith('FST_') || expose ? byStatus[statusCode] : undefined
  return kind ? new Problem(kind, wordsByCode[code], { cause: error }) : new Problem(internal, undefined, { cause: error })
}

/** A problem as `application/problem+json`. `detail` and `message` say the same: older clients read one or the other. */
export const onTheWire = ({ kind: { code, title, error }, detail, fields }: Problem, request_id: string) => ({
  code,
  error,
  title,
  detail,
  message: detail,
  fields,
  request_id,
})
