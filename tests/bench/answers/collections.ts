// All collections of the hold-out. Read the note in collection.ts before any of them.
import type { Collection } from "./collection.ts";
import { ADMIN_HANDBOOK_FR } from "./collections/admin-handbook-fr.ts";
import { INSTALL_GUIDE_DE } from "./collections/install-guide-de.ts";
import { MAIL_CLIENT } from "./collections/mail-client.ts";
import { NODE_SERVERS } from "./collections/node-servers.ts";
import { QUESTIONS_ANSWERS_FR } from "./collections/questions-answers-fr.ts";
import { QUESTIONS_ANSWERS_JA } from "./collections/questions-answers-ja.ts";
import { SYSTEM_REFERENCE_DE } from "./collections/system-reference-de.ts";
import { WEB_PROXY } from "./collections/web-proxy.ts";

export const COLLECTIONS: readonly Collection[] = [
  NODE_SERVERS,
  MAIL_CLIENT,
  WEB_PROXY,
  INSTALL_GUIDE_DE,
  SYSTEM_REFERENCE_DE,
  ADMIN_HANDBOOK_FR,
  QUESTIONS_ANSWERS_FR,
  QUESTIONS_ANSWERS_JA,
];
