import type { Readable } from 'node:stream'
import * as ops from '@masthead/contract/billing/invoices/operations'
import { documentNumber } from '@masthead/contract/billing/invoices/document'
import type { FastifyReply } from 'fastify'
import { file, read, type Route, write } from '../../kernel/http/routes.ts'
import { documentFile } from './document-file.ts'
import { getDocument, listDocuments, type DocumentRow } from './document-queries.ts'
import { getProfile, setProfile } from './profile.ts'

/** The file, under its number. */
export function sendDocument(reply: FastifyReply, row: DocumentRow): Readable {
  void reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${documentNumber(row.kind, row.year, row.n)}.pdf"`)
  return documentFile(row)
}

export const invoiceRoutes: Route[] = [
  read(ops.getBillingProfile, ({ db, actor }) => getProfile(db, actor)),
  write(ops.setBillingProfile, ({ db, actor, body }) => setProfile(db, actor, body)),
  read(ops.listDocuments, ({ db, actor, query }) => listDocuments(db, actor.account_id, query)),
  file(ops.exportDocument, async ({ app, actor, params, reply }) =>
    sendDocument(reply, await getDocument(app.db, actor, params.document_id))
  ),
]
