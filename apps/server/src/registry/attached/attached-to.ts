import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import type { Repository, Within } from '../content/repository.ts'

/** The tags by which tools attached what belongs to an image before manifests could say so themselves. */
const tagOf = (digest: string, kind: string) => `${digest.replace(':', '-')}.${kind}`
const kinds = ['sig', 'att', 'sbom'] as const
const asImage = sql`'sha256:' || substr(t.name, 8, 64)`

/** Which manifests are attached to which images: by their subject, or by a tag like `sha256-….sig`. A row is `{ image, digest }`. */
export const attachedTo = ({ account_id, repository_id }: Within, images: readonly string[]) => sql`
  select m.subject as image, m.digest from registry_manifest m
    where m.account_id = ${account_id} and m.repository_id = ${repository_id} and m.subject = any(${[...images]}::text[])
  union select ${asImage}, t.digest from registry_tag t
    where t.account_id = ${account_id} and t.repository_id = ${repository_id}
    and t.name = any(${images.flatMap((image) => kinds.map((kind) => tagOf(image, kind)))}::text[])`

const mostOfOne = 200

type AttachedRow = { digest: string; artifact_type: string | null; size_bytes: number; pushed_at: Date }

/** The newest first. */
export async function listAttached(db: Db, repository: Repository, image: string): Promise<AttachedRow[]> {
  const { account_id, repository_id } = repository
  const { rows } = await sql<AttachedRow>`select m.digest, m.artifact_type, m.size_bytes, m.pushed_at from registry_manifest m
    where m.account_id = ${account_id} and m.repository_id = ${repository_id}
    and m.digest in (select digest from (${attachedTo(repository, [image])}) a)
    order by m.pushed_at desc, m.digest limit ${mostOfOne}`.execute(db)
  return rows
}
