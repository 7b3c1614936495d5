import type { FastifyRequest } from 'fastify'
import { passkeyRefused } from '@masthead/contract/auth/problems'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { App, Tx } from '../kernel/app.ts'
import { findSecret, issueSecret, spendSecret } from './one-time-secret.ts'
import { readAssertion, readRegistration } from './passkey-answer.ts'
import { relyingParty } from './relying-party.ts'

type Outside = { app: App; request: FastifyRequest; at: Date }
type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'
export type PasskeyPurpose = 'passkey_sign_in' | 'passkey_second_step' | 'passkey_proof'

const algorithms = [-8, -7, -257] // EdDSA, ES256, RS256 (COSE): what authenticators have today
/** Loaded with the first passkey: its parsers of certificates would take a tenth of every start. */
const webauthn = () => import('@simplewebauthn/server')
const answerWithin = 5 * 60 // seconds

/** A challenge for any passkey of this site: no person is named. */
export async function challengePasskey(tx: Tx, { app, request, at }: Outside, purpose: PasskeyPurpose) {
  const challenge = await issueSecret(tx, { purpose, at, seconds: answerWithin })
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(app, request).id,
    challenge: Buffer.from(challenge, 'base64url'),
    userVerification: 'required',
    timeout: answerWithin * 1000,
  })
}

export type ProvedPasskey = { person_id: string; spend: (tx: Tx) => Promise<void> }

/**
 * Whose passkey answered a challenge. `spend` within the transaction that rests on it: only then is the challenge used up.
 * Throws passkey_refused.
 */
export async function checkPasskey({ app, request, at }: Outside, purpose: PasskeyPurpose, json: string): Promise<ProvedPasskey> {
  const { challenge, ...response } = readAssertion(json)
  const passkey = await app.db.selectFrom('passkey').selectAll().where('credential_id', '=', response.id).executeTakeFirst()
  if (!passkey || !(await findSecret(app.db, purpose, challenge, at))) throw new Problem(passkeyRefused)
  const { id, origin } = relyingParty(app, request)
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports as Transport[],
    },
  }).catch((error: unknown) => {
    throw new Problem(passkeyRefused, undefined, { cause: error })
  })
  const { userHandle } = response.response
  if (!verified || (userHandle && userHandle !== handleOf(passkey.person_id))) throw new Problem(passkeyRefused)
  const spend = async (tx: Tx) => {
    if (!(await spendSecret(tx, purpose, challenge, at))) throw new Problem(passkeyRefused)
    const counter = authenticationInfo.newCounter
    await tx.updateTable('passkey').set({ counter, last_used_at: at }).where('id', '=', passkey.id).execute()
  }
  return { person_id: passkey.person_id, spend }
}

const handleOf = (person_id: string) => Buffer.from(person_id).toString('base64url')

/** What a browser needs to make a passkey for a person. */
export async function startPasskey(tx: Tx, { app, request, at }: Outside, { person_id, email }: { person_id: string; email: string }) {
  const challenge = await issueSecret(tx, { purpose: 'passkey_registration', person_id, at, seconds: answerWithin })
  const have = await tx.selectFrom('passkey').select(['credential_id', 'transports']).where('person_id', '=', person_id).execute()
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Masthead',
    rpID: relyingParty(app, request).id,
    userName: email,
    userDisplayName: email,
    userID: new TextEncoder().encode(person_id),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: answerWithin * 1000,
    attestationType: 'none',
    // It must be found without a name, and be two factors at once: the thing, and the finger or PIN that opens it.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: have.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })
}

/** Checks a new passkey of a person. `keep` writes it within a transaction and answers its id. Throws passkey_refused. */
export async function checkNewPasskey({ app, request, at }: Outside, person_id: string, json: string) {
  const { challenge, ...response } = readRegistration(json)
  const known = await findSecret(app.db, 'passkey_registration', challenge, at)
  if (known?.person_id !== person_id) throw new Problem(passkeyRefused)
  const { id: rpID, origin } = relyingParty(app, request)
  const { verifyRegistrationResponse } = await webauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    throw new Problem(passkeyRefused, undefined, { cause: error })
  })
  if (!verified) throw new Problem(passkeyRefused)
  const { credential, credentialBackedUp } = registrationInfo
  return async (tx: Tx, name: string): Promise<string> => {
    if (!(await spendSecret(tx, 'passkey_registration', challenge, at))) throw new Problem(passkeyRefused)
    const id = newId('passkey', at.getTime())
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('passkey')
      .values({
        id,
        person_id,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: response.response.transports,
        synced: credentialBackedUp,
        name,
        created_at: at,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) throw new Problem(passkeyRefused)
    return id
  }
}
