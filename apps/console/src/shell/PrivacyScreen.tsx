import { PlainHeading, PlainPage } from './PlainPage.tsx'

export default function PrivacyScreen() {
  return (
    <PlainPage title="Privacy Policy" link="privacy">
      <p>
        This installation of Masthead is run by the organisation that gave you access to it. It decides what is kept and for how long; ask
        it for its full policy.
      </p>
      <PlainHeading>What is kept</PlainHeading>
      <p>
        Your e-mail address and the name of your team, a hash of your password, your sessions, and a log of what was changed on the account,
        with the address it came from. Of your SIMs: their identifiers, sessions, the networks they used and how much data they moved. Never
        what was in that data.
      </p>
      <PlainHeading>Who sees it</PlainHeading>
      <p>
        The members of your team, as far as their permissions go, and the staff of this installation. When staff work on your account, it is
        written to your activity log.
      </p>
      <PlainHeading>What leaves this installation</PlainHeading>
      <p>
        Nothing, unless its operator connected an outside service such as e-mail, maps, card payments or an identity provider. Without one
        this console loads nothing from other sites. It sets one cookie, for your session.
      </p>
    </PlainPage>
  )
}
