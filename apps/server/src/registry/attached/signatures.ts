import { sql } from 'kysely'
import type { Signature, SignatureSummary } from '@masthead/contract/registry/signature'
import type { Db } from '../../kernel/app.ts'
import type { Repository, Within } from '../content/repository.ts'
import { attachedTo } from './attached-to.ts'
import { judgeSignature, summaryOf, trusted, type TrustedKey } from './judge-signature.ts'
import type { Signed } from './read-signed.ts'
import { listSigningKeys } from './signing-keys.ts'

const mostOfOne = 50
/** In a list, where each costs its share of the answer. */
const mostInList = 4

type Row = Signed & { image: string; digest: string; pushed_at: Date; pushed_by: string }

/** Signatures that are attached to some images, the newest of each first. */
async function readSignatures(db: Db, repository: Within, images: readonly string[], most: number): Promise<Row[]> {
  if (images.length === 0) return []
  const { rows } = await sql<Row>`select * from (select a.image, s.digest, s.kind, s.about, s.signed, s.signature, m.pushed_at, m.pushed_by,
      row_number() over (partition by a.image order by m.pushed_at desc, s.digest, s.n) as place
    from (${attachedTo(repository, images)}) a
    join registry_signature s on s.account_id = ${repository.account_id} and s.repository_id = ${repository.repository_id} and s.digest = a.digest
    join registry_manifest m on m.account_id = s.account_id and m.repository_id = s.repository_id and m.digest = s.digest) each
    where place <= ${most} order by image, place`.execute(db)
  return rows
}

const asSignature = (row: Row, keys: readonly TrustedKey[]): Signature => ({
  digest: row.digest,
  of: row.kind,
  ...judgeSignature(row, row.image, keys),
  pushed_at: row.pushed_at.toISOString(),
  pushed_by: row.pushed_by,
})

export async function listSignatures(
  db: Db,
  repository: Repository,
  image: string
): Promise<{ signatures: Signature[]; signature: SignatureSummary }> {
  const rows = await readSignatures(db, repository, [image], mostOfOne)
  const keys = rows.length > 0 ? trusted(await listSigningKeys(db, repository)) : []
  const signatures = rows.map((row) => asSignature(row, keys))
  return { signatures, signature: summaryOf(signatures) }
}

/** What the signatures of some images say, by the image. */
export async function summariesOf(db: Db, repository: Within, images: readonly string[]): Promise<Map<string, SignatureSummary>> {
  const rows = await readSignatures(db, repository, [...new Set(images)], mostInList)
  const keys = rows.length > 0 ? trusted(await listSigningKeys(db, repository)) : []
  return new Map(
    [...Map.groupBy(rows, ({ image }) => image)].map(([image, of]) => [image, summaryOf(of.map((row) => asSignature(row, keys)))])
  )
}
