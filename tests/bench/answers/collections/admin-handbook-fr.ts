// HOLD-OUT (see ../collection.ts): a French handbook for administrators; some of its sections are in English.
import type { Collection } from "../collection.ts";

export const ADMIN_HANDBOOK_FR: Collection = {
  name: "admin-handbook-fr",
  language: "fr",
  packages: [
    {
      from: "deb",
      name: "debian-handbook",
      version: "11.20220922",
      keep: "usr/share/doc/debian-handbook/html/fr-FR/*.html",
    },
  ],
  answerable: [
    {
      ask: "Combien de jours un paquet doit-il rester dans Unstable avant de passer dans Testing ?",
      document: "sect.release-lifecycle.html",
      right: /minimale de 5 jours/,
    },
    {
      ask: "Que fait-on des nouvelles versions pendant la période de gel ?",
      document: "sect.release-lifecycle.html",
      right: /empêcher toute nouvelle version|approuver chaque mise à jour/,
    },
    {
      ask: "Les paquets d'Experimental arrivent-ils d'eux-mêmes dans une autre distribution ?",
      document: "sect.release-lifecycle.html",
      right: /ne migrent jamais/,
    },
    {
      ask: "Quels ports faut-il ouvrir pour NFS version 4 ?",
      document: "sect.nfs-file-server.html",
      right: /\b2049\b/,
    },
    {
      ask: "Un partage NFS est-il accessible en écriture par défaut ?",
      document: "sect.nfs-file-server.html",
      right: /qu'en lecture seule/,
    },
    {
      ask: "Pourquoi faut-il réserver NFS à un réseau local de confiance ?",
      document: "sect.nfs-file-server.html",
      right: /ne sont pas chiffrées/,
    },
    {
      ask: "Que se passe-t-il quand un utilisateur dépasse une limite soft de son quota ?",
      document: "sect.quotas.html",
      right: /franchie temporairement|se comportera comme une limite hard/,
    },
    {
      ask: "Peut-on dépasser une limite hard ?",
      document: "sect.quotas.html",
      right: /hard ne peut jamais être franchie/,
    },
    {
      ask: "Dans quel fichier sont conservés les mots de passe hachés ?",
      document: "sect.user-group-databases.html",
      right: /\/etc\/shadow (stocke|contient)|stored in \/etc\/shadow/,
    },
    {
      ask: "Comment obliger un utilisateur à changer son mot de passe à la prochaine connexion ?",
      document: "sect.user-group-databases.html",
      right: /\bpasswd -e/,
    },
    {
      ask: "Comment empêcher un compte de se connecter en changeant son shell ?",
      document: "sect.user-group-databases.html",
      right: /\/bin\/false/,
    },
    {
      ask: "À quoi sert anacron sur une machine qui n'est pas toujours allumée ?",
      document: "sect.asynchronous-task-scheduling-anacron.html",
      right: /prenant en compte les périodes|Anacron (complète|est)/i,
    },
    {
      ask: "Quel niveau la commande nice utilise-t-elle si on n'indique rien ?",
      document: "sect.asynchronous-task-scheduling-anacron.html",
      right: /nice utilise le niveau 10/,
    },
    {
      ask: "Quel chiffre désigne le dimanche dans une crontab ?",
      document: "sect.task-scheduling-cron-atd.html",
      right: /dimanche est représenté/,
    },
    {
      ask: "Quelle commande permet à un utilisateur de modifier ses tâches planifiées ?",
      document: "sect.task-scheduling-cron-atd.html",
      right: /crontab -e/,
    },
    {
      ask: "Quelle valeur numérique correspond au droit d'écriture ?",
      document: "sect.rights-management.html",
      right: /2 pour l'écriture/,
    },
    {
      ask: "Que signifie le droit d'exécution pour un répertoire ?",
      document: "sect.rights-management.html",
      right: /exécution de le traverser|traverser un répertoire/,
    },
    {
      ask: "Quelle est la priorité la plus haute d'un message syslog ?",
      document: "sect.syslog.html",
      right: /emerg : /,
    },
    {
      ask: "Combien de connexions par minute inetd accepte-t-il par défaut ?",
      document: "sect.inetd.html",
      right: /\b256\b/,
      within: "sect.inetd",
    },
    {
      ask: "Pourquoi ne pas partager le mot de passe de root entre administrateurs ?",
      document: "sect.config-misc.html",
      right: /ouvre la porte à des abus|anonymat de ce compte/,
    },
    {
      ask: "Pourquoi tous les ordinateurs d'un réseau devraient-ils avoir la même heure ?",
      document: "sect.config-misc.html",
      right: /croiser les informations obtenues|séquence chronologique/,
    },
    {
      ask: "Sur quel port écoute le démon de Munin ?",
      document: "monitoring.html",
      right: /\b4949\b/,
    },
    {
      ask: "Pourquoi les sauvegardes sur bandes ont-elles été abandonnées ?",
      document: "sect.backup.html",
      right: /trop lentes et trop coûteuses/,
    },
    {
      ask: "Que faire en premier d'un serveur piraté ?",
      document: "sect.dealing-with-compromised-machine.html",
      right: /Débrancher l'ordinateur du réseau/,
    },
    {
      ask: "Pourquoi ne faut-il pas lancer beaucoup de commandes sur une machine compromise ?",
      document: "sect.dealing-with-compromised-machine.html",
      right: /effacer des éléments de preuve/,
    },
    {
      ask: "Pourquoi OpenSSH a-t-il été créé ?",
      document: "sect.remote-login.html",
      right: /créa donc OpenSSH|fork du logiciel SSH originel|licence propriétaire/,
    },
    {
      ask: "Faut-il utiliser tun ou tap avec OpenVPN ?",
      document: "sect.virtual-private-network.html",
      right: /interfaces tun sauf|tun \(tunnel/,
    },
  ],
  unanswerable: [
    "Combien coûte une heure d'intervention d'un administrateur Debian ?",
    "Combien de règles peut contenir une table nftables au maximum ?",
    "Combien de tunnels simultanés un serveur OpenVPN supporte-t-il ?",
    "Comment déployer une application sur Kubernetes ?",
    "Quelle assurance couvre les pertes dues à un piratage ?",
    "Quelle est la taille maximale d'un partage NFS ?",
    "Quelle est la température idéale d'une salle de serveurs ?",
    "Combien de machines Munin peut-il surveiller au plus ?",
    "Combien de temps faut-il pour restaurer une sauvegarde de dirvish ?",
    "Quel diplôme faut-il pour devenir développeur Debian ?",
    "Combien de lignes une crontab peut-elle contenir ?",
    "Comment configurer une imprimante 3D sous Debian ?",
  ],
};
