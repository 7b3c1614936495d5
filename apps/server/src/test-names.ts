import type { Scene } from './test-samples.ts'

/** The names that an address has on a scene, each way it may be written. */
export const namesOf = (scene: Scene): Record<string, string[]> => ({
  asset_id: [scene.active.id, scene.active.serial, scene.active.iccid],
  pool_id: [scene.pool_id],
  card_id: [scene.cards.card_id],
  transaction_id: [scene.money.credit_id],
  top_up_id: [scene.money.top_up_id],
  card_setup_id: [scene.cards.card_setup_id],
  fleet_id: [scene.fleet.id],
  rollout_id: [scene.fleet.rollout_id],
  report_id: [scene.report.id, scene.report.waiting_id, scene.report.failed_id],
  schedule_id: [scene.report.schedule_id],
  repository_id: [scene.registry.id, scene.registry.name],
  digest: [scene.registry.digest],
  robot_id: [scene.registry.robot_id],
  // Of a repository: what is asked for in another account is no repository at all.
  tag: [],
  // Whoever has a link may use it.
  link: [],
  network_group_id: [scene.network_group_id],
  enforcement_id: [scene.enforcement_id],
  tag_id: [scene.tag_id],
  activity_id: [scene.activity_id],
  alert_id: [scene.alert_id],
  rule_id: [scene.rule_id],
  firing_id: [scene.firing_id],
  bulk_id: [scene.bulk_id],
  member_email: [scene.team.member],
  invited_email: [scene.team.invited],
  api_key_id: [scene.api_key_id],
  webhook_id: [scene.webhook_id],
  delivery_id: [scene.delivery_id],
  identity_id: [scene.identity_id],
  passkey_id: [scene.security.passkey_id],
  session_id: [scene.security.session_id],
  export_id: [scene.security.export_id],
})
