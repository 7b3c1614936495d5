import { documentKinds } from '@masthead/contract/billing/invoices/document'
import { exportDocument } from '@masthead/contract/billing/invoices/operations'
import type { LedgerEntry, LedgerTransaction } from '@masthead/contract/billing/ledger'
import { ledgerTypes } from '@masthead/contract/billing/ledger'
import { formatMoney, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import type { PendingCharge } from '@masthead/contract/billing/pending-charge'
import { formatExactHere } from '@masthead/contract/kernel/time'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { urlOf } from '../api/client.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { Fact, Facts } from '../ui/Panel.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { howMuch, signed, sourceWords } from './money-words.ts'

type TransactionSheetProps = {
  line: LedgerTransaction
  currency: Currency
  onClose: () => void
  /** Opens another entry. */
  onOpen: (id: string) => void
  /** Shows the entries of an asset alone. */
  onAsset?: (id: string) => void
  /** Where an asset leads. */
  assetPath: (id: string) => string
  /** What it stands in. */
  document?: LedgerEntry['document']
  /** Beside those of the ledger. */
  children?: ReactNode
}

type AmountFactsProps = Pick<TransactionSheetProps, 'currency' | 'onAsset' | 'assetPath'> & {
  line: LedgerTransaction | PendingCharge
  /** What was left after it; none of what is not in the ledger. */
  balance?: Micros
}

/** What an entry comes to, and of what it is. */
export function AmountFacts({ line, currency, balance, onAsset, assetPath }: AmountFactsProps) {
  const amount = howMuch(line, currency)
  return (
    <>
      <Fact label="Exactly">
        <span className="tabular-nums">
          {line.amount_micros < 0 ? '−' : '+'}
          {formatMoney(micros(Math.abs(line.amount_micros)), currency)}
        </span>
      </Fact>
      {balance !== undefined && <Fact label="Balance after">{formatMoney(balance, currency)}</Fact>}
      {amount && <Fact label="Quantity">{amount}</Fact>}
      {line.usage_from && line.usage_to && (
        <Fact label="Used">
          {formatExactHere(line.usage_from)} to {formatExactHere(line.usage_to)}
        </Fact>
      )}
      {line.price_list && <Fact label="Price list">{line.price_list}</Fact>}
      {line.asset_id && (
        <Fact label="Asset">
          <span className="flex flex-wrap items-center gap-x-2">
            <Link className="link" to={assetPath(line.asset_id)}>
              {line.asset_name}
            </Link>
            {onAsset && (
              <Button size="small" onClick={() => onAsset(line.asset_id!)}>
                Only this asset
              </Button>
            )}
          </span>
        </Fact>
      )}
    </>
  )
}

/** All of an entry of the ledger. */
export function TransactionSheet({ line, currency, document, onClose, onOpen, onAsset, assetPath, children }: TransactionSheetProps) {
  const other = (id: string) => (
    <button type="button" className="link mono" onClick={() => onOpen(id)}>
      {id}
    </button>
  )
  return (
    <Sheet
      open
      onClose={onClose}
      title={`${signed(line.amount_micros, currency)}, ${line.description}`}
      note={`${ledgerTypes[line.type]} of ${formatExactHere(line.posted_at)}`}
      wide
    >
      <Facts>
        <AmountFacts
          line={line}
          currency={currency}
          assetPath={assetPath}
          balance={line.balance_after_micros}
          {...(onAsset && { onAsset })}
        />
        <Fact label="Source">{sourceWords[line.source]}</Fact>
        {line.actor !== 'system' && <Fact label="By">{line.actor}</Fact>}
        {line.reason && <Fact label="Reason">{line.reason}</Fact>}
        {line.payment_id && (
          <Fact label="Payment">
            <CopyText text={line.payment_id} label="payment" />
          </Fact>
        )}
        {document && (
          <Fact label={documentKinds[document.kind]}>
            <DownloadLink
              className="link"
              href={urlOf(exportDocument, { params: { document_id: document.id } })}
              name={`${document.number}.pdf`}
            >
              {document.number}
            </DownloadLink>
          </Fact>
        )}
        {line.corrects && <Fact label="Corrects">{other(line.corrects)}</Fact>}
        {line.corrected_by && <Fact label="Corrected by">{other(line.corrected_by)}</Fact>}
        <Fact label="Entry">
          <CopyText text={line.id} label="entry" />
        </Fact>
      </Facts>
      {children}
      <p className="text-xs text-fg-3">Entries are never changed or removed. A correction is an entry of its own.</p>
    </Sheet>
  )
}
