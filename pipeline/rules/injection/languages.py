"""The language of a sentence: by its script, or by its small words."""

from typing import Final

from afterword.pipeline.expression import expression

LATIN: Final = ("en", "es", "pt", "de", "fr", "tr", "vi")

_SCRIPTS: Final = (
    ("ja", expression("[\u3041-\u30ff]")),
    ("ko", expression("[\u1100-\u11ff\uac00-\ud7a3]")),  # folded, a syllable is its letters
    ("zh", expression("[\u3400-\u9fff]")),
    ("ru", expression("[\u0400-\u04ff]")),
    ("ar", expression("[\u0600-\u06ff]")),
    ("hi", expression("[\u0900-\u097f]")),
)

_SMALL_WORDS: Final = {
    "en": """
        the to my is for of and it that this be if return not you from with how up have or are
        get there by but when need given has used its any been where using still which some our
        us your they them was were than then these those should would could what who why about
        into only all at on i he she we his her their must never always every as in one account
        percent out please first two before below new now after without owner had each here
        until address three let rule last next keep line old read rules says over above put
        youre answer off told list leave under trading asked back open closed more price down
        follow just shall take too everything whatever isnt like year half full run see send
        month act move cant because give thats tell make well following entry doesnt kindly
        owners money within since lost again days five treat youve nothing other goes turn word
        second costs good withdrawal add him ask third paragraph today came commands request
        theres own fund whenever nobody
    """,
    "es": """
        el una su y las al los del con puede ha solo sus debe esto tiene desde copia pudo tu tus
        esta este estas lo le les por para pero como mas sin cuando ahora usted hay fue ser todo
        toda todos todas nunca siempre hasta sobre ya muy cada esa ese eso aqui mi yo nos haz di
        en que cuenta cualquier asistente asi ordenes quien mensaje nadie despues operaciones
        retiro datos orden sigue hace dueno eres aunque cartera posicion riesgo hoy soporte
        operacion reglas instrucciones cambia precio nueva paso primero fuera seguridad fondo
        regla manana configuracion hacer sesion permiso otra palabra archivo contrasena equipo
        perdidas viernes noche habla millones abajo instruccion empieza siguiente mejor aprobo
        contesta cuentas primera encima credenciales comisiones bajo accion direccion ayer
        tamano cierre acciones correo
    """,
    "pt": """
        o nao e voce uma em com seu ao foi sem seus tem isso nos os as da do das dos na no nas
        pelo pela ter suas ainda apos quer agora muito apenas ja mais mas como quando tudo toda
        todo todos todas nunca ate sobre cada essa esse este esta aqui eu meu minha um que sua
        voces conta carteira quem ele depois pra assistente pode qualquer ordem abaixo saque
        dois mensagem ordens corretora faca regras regra primeiro operacoes hoje ninguem dono
        faz fim sessao nem acima segue suporte risco preco dados duas ontem instrucoes passa
        fala sempre precisa chave senha onde deve mesmo reais fica nesta vem fora desta teu
        dinheiro ela seja caixa arquivo entao fundo nova sou posicao fechou estao novo acesso
        mim erro alguem assim alavancagem lucro quanto serao sexta venda outro passou
    """,
    "de": """
        sie der nicht zu ist eine das den werden auf ein mit und von bitte fur wird wenn oder
        ihre dem einen aus keine dass ihr dieser diese nur sind ich beim einem ohne muss einer
        uber sein zum bei dies haben alle nach vor du dein deine deinen dich dir mir er es im am
        an als auch noch schon immer nie jetzt ab kein wie was sich hat wir uns bis alles die
        prozent mehr also unter vom euro steht nutzer habe wurde mein neue zwei assistent diesem
        meine war nichts heute kunden weiter hast diesen selbst ende dann stopp kurs kannst
        sobald jede gib bleibt jeder hatte drei prufung anweisungen einfach lass nachricht jeden
        tage kauf kommt wieder seit gestern neuen regel darf schreib damit konto mich hoch zeile
        dieses weg regeln mach seine kunftig setz wort sofort wer deiner handeln sonst borse
        fallt satz unser schick verlust gebuhren zahlen davon letzten uhr liegt danach agenten
        entwickler samtliche gilt doch nimm auftrag notiz durch lasst anweisung soll statt
        stelle lauft seite fragt ersten modell leg drauf allen freigabe raus etwas zur
    """,
    "fr": """
        le les vous votre pas une pour ne est sur ce avec cette plus au etre par vos sans je qui
        avant comme chaque suis toujours mon des du la un et en dans il elle nous tu ton ta tes
        te sa ses son leur aux ou jamais tout toute tous toutes maintenant quand que fais cet
        ces ete nest cest ni jai compte deux apres demande vers sont lagent systeme fait
        portefeuille dit meme heures quil ci ordres trois jour reste celui retrait sous rien
        regles mets modele lassistant premier lutilisateur fois garde jusqua soit fichier mois
        ont donnees lignes memoire personne donc ordre doit risque regle jours notre laisse
        desormais lui ecrit texte plateforme quel faire peut titulaire seront courtier dis nuit
        semaine touche moins oublie cours quon dessous aucune autre lecture nouvelle comptes
        reponds peux faux largent tant lequipe sortir cle prochain donne pertes peu levier pris
        vaut vendredi quoi hors utilisateur banque supprime dix moyenne taille cloture accepte
        vendre moitie pourquoi
    """,
    "tr": """
        bir bu icin her yok olarak once daha sahip ac tarih ana cok veya ben hicbir butun asla
        sadece sonra say simdi ve ile de da ne mi gibi kadar tum tumu sen senin sana bana benim
        artik ama hemen kendi degil olan var o su et yap ol gore bunu bundan iki yuzde uc tek
        yeni gun diye ajan islem ilk kullanici eski yerine bes hep musteri gelen ona sistem gec
        kaldi gecen hangi olsun sonu yaz hesap koy olur kabul bizim varsa asistan altin guvenlik
        kural gercek yalnizca oyle cikar geri imza cuzdan emir yil yine gece hafta pozisyon
        hisse boyle bos onceki geliyor acik birak lutfen yapay izin oldugunu soz misin kurum
        etme hic ekle zarar derse emri parayi olursa karari onay tarafindan kez buyuk gunluk
        saat ise ucuncu borsa yillik net soyledi
    """,
    "vi": """
        toi khong ban cua co bo chi va moi truoc tin loi so gui trong hay tat cac duoc la cho
        nay khi voi tu nguoi nhung neu thi mot hoac ra vao cung da se phai ngay bay gio luon lai
        dang ve theo nhu hon rang bao dung nhan lenh chu noi qua vi roi cau dong sau quy tai thu
        doi dau tac tien hoi lam cu khoan gia chuyen thong han khoi ky cong tra het dinh bang
        sang ghi ly muc san nen ke thay mo nhat phan chung mua mat thoi dat minh van dan giao
        rut bi bat giu tren ket giam hom toan tro len nha ty kiem hai duoi nam ba nho gi day
        thanh cao quan phi sach trang tuan tri bai thuc danh ho doc hien anh thang viec gioi
        tiep nua yeu dieu tang hieu cai hinh phien xin chay vay nghi chua xac
    """,
    "hi": """
        hai hain ka ki ke ko se mein aur nahi nahin kar karo karna bhi ye yeh wo woh tha apne
        apna mera meri aap tum kya jo par liye sab abhi mat bina hi raha rahe kisi saare sare
        batana batao bolo dena lena jao kuch koi agar jab tak kyunki lekin magar pehle baad wala
        wali
    """,
    "ru": """
        vse vsyo mne menya eto dlya chto kak esli tebe tebya tvoi svoi nado nuzhno seichas
        nikomu nichego potom teper tolko bez vsegda pozhaluista skazhi bolshe uzhe
    """,
    "ar": """
        ana enta inta mesh mish 3ala 3al 3an walla illi elly ya3ni ma3 3ashan lazem ay7aga di2
        da3 delwa2ty ba3d
    """,
}


def _telling() -> dict[str, str]:
    """Return the small words that one language has, with the language."""
    found: dict[str, str] = {}
    shared: set[str] = set()
    for language, written in _SMALL_WORDS.items():
        for word in set(written.split()):
            if found.setdefault(word, language) != language:
                shared.add(word)
    return {word: language for word, language in found.items() if word not in shared}


_TELLING: Final = _telling()


def language_of(sentence: str, words: list[str]) -> str:
    """Return the language of a sentence; "" if nothing tells it.

    Args:
        sentence: folded as the scan folds a text.
        words: those of the sentence.
    """
    if not sentence.isascii():
        for language, script in _SCRIPTS:
            if script.search(sentence):
                return language
    counts: dict[str, int] = {}
    for word in words:
        if told := _TELLING.get(word):
            counts[told] = counts.get(told, 0) + 1
    return max(counts, key=counts.__getitem__, default="")
